create or replace function private.studio_take_from_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  gone record;
begin
  for gone in
    select removed.owner, removed.workflow_id, removed.session_id, count(*) as messages,
      sum(octet_length(removed.message::text)) as bytes, max(removed.id) as last_message
    from removed group by removed.owner, removed.workflow_id, removed.session_id
  loop
    -- Two branches, since `is not distinct from` is found by no index.
    if gone.workflow_id is null then
      update public.studio_memory_conversations as kept
      set messages = kept.messages - gone.messages, bytes = kept.bytes - gone.bytes
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id;
      delete from public.studio_memory_conversations as kept
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id
        and kept.messages <= 0;
      update public.studio_memory_conversations as kept
      set last_message = last.id, last_used_at = last.created_at
      from (
        select memory.id, memory.created_at from public.studio_agent_memory as memory
        where memory.owner = gone.owner and memory.workflow_id is null and memory.session_id = gone.session_id
        order by memory.id desc limit 1
      ) as last
      where kept.owner = gone.owner and kept.workflow_id is null and kept.session_id = gone.session_id
        and kept.last_message <= gone.last_message;
    else
      update public.studio_memory_conversations as kept
      set messages = kept.messages - gone.messages, bytes = kept.bytes - gone.bytes
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id;
      delete from public.studio_memory_conversations as kept
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id
        and kept.messages <= 0;
      update public.studio_memory_conversations as kept
      set last_message = last.id, last_used_at = last.created_at
      from (
        select memory.id, memory.created_at from public.studio_agent_memory as memory
        where memory.owner = gone.owner and memory.workflow_id = gone.workflow_id
          and memory.session_id = gone.session_id
        order by memory.id desc limit 1
      ) as last
      where kept.owner = gone.owner and kept.workflow_id = gone.workflow_id and kept.session_id = gone.session_id
        and kept.last_message <= gone.last_message;
    end if;
  end loop;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_take_from_conversations()');
