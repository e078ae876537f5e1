-- Names one conversation by its first question, or by none. A question that is encrypted brings its encrypted beginning.
create or replace function private.studio_name_conversation(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  kept public.studio_memory_conversations;
  first_id bigint;
  first_title text;
  first_sealed jsonb;
begin
  select * into kept from public.studio_memory_conversations as conversation where conversation.id = p_id;
  if kept.workflow_id is null then
    select memory.id, private.studio_title_of_message(memory.content, memory.message), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id is null and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of_message(memory.content, memory.message) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  else
    select memory.id, private.studio_title_of_message(memory.content, memory.message), private.studio_sealed_title_of(memory.message)
    into first_id, first_title, first_sealed
    from public.studio_agent_memory as memory
    where memory.owner = kept.owner and memory.workflow_id = kept.workflow_id and memory.session_id = kept.session_id
      and memory.role = 'user' and (private.studio_title_of_message(memory.content, memory.message) is not null
        or private.studio_sealed_title_of(memory.message) is not null)
    order by memory.id limit 1;
  end if;
  update public.studio_memory_conversations as conversation
  set title = first_title, sealed_title = first_sealed, title_message = first_id where conversation.id = p_id;
end;
$$;

select private.studio_grant_calls('private.studio_name_conversation(uuid)');
