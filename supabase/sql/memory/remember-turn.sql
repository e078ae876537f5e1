-- Appends the messages of one turn and, where only the last ones are kept, deletes the others, in one write. What a write of
-- this name has brought already is left as it is. p_messages: [{ role, content, message }] in their order. p_write_id null: a
-- write without a name. p_keep: as for public.studio_prune_memory; null keeps all.
create or replace function public.studio_remember_turn(
  p_workflow_id uuid, p_session_id text, p_messages jsonb, p_write_id text default null, p_keep integer default null
) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  -- Ids are drawn as the rows come, so they follow the order of the turn.
  insert into public.studio_agent_memory
    (workflow_id, session_id, role, content, message, write_id, write_position)
  select p_workflow_id, p_session_id, said.entry ->> 'role', coalesce(said.entry ->> 'content', ''),
    said.entry -> 'message', p_write_id, case when p_write_id is not null then said.place - 1 end
  from jsonb_array_elements(p_messages) with ordinality as said (entry, place)
  order by said.place
  on conflict on constraint studio_agent_memory_write do nothing;
  if p_keep is not null then
    perform public.studio_prune_memory(p_workflow_id, p_session_id, p_keep);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_remember_turn(uuid, text, jsonb, text, integer)', 'authenticated', 'service_role');
