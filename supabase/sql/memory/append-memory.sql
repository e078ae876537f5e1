-- Appends the messages of one turn with their vectors; what a write of this name has brought already is left as it is.
-- p_entries: [{ role, content, message, embedding }], where embedding is text such as "[0.1,0.2]", or null. p_write_id
-- null: a write without a name.
create or replace function public.studio_append_memory(
  p_workflow_id uuid, p_session_id text, p_model text, p_entries jsonb, p_write_id text default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  entry record;
  added bigint;
begin
  -- One statement a row, so that ids follow the order of the turn.
  for entry in select value, ordinality from jsonb_array_elements(p_entries) with ordinality order by ordinality loop
    insert into public.studio_agent_memory
      (workflow_id, session_id, role, content, message, write_id, write_position)
    values (
      p_workflow_id, p_session_id, entry.value ->> 'role', coalesce(entry.value ->> 'content', ''),
      entry.value -> 'message', p_write_id, case when p_write_id is not null then entry.ordinality - 1 end
    )
    on conflict on constraint studio_agent_memory_write do nothing
    returning id into added;
    if found and entry.value ->> 'embedding' is not null then
      insert into public.studio_memory_vectors (message_id, model, embedding)
      values (added, p_model, (entry.value ->> 'embedding')::extensions.vector);
    end if;
  end loop;
end;
$$;

select private.studio_grant_calls('public.studio_append_memory(uuid, text, text, jsonb, text)', 'authenticated', 'service_role');
