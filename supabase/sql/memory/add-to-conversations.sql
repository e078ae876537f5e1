create or replace function private.studio_add_to_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.studio_memory_conversations as kept
    (owner, workflow_id, session_id, messages, bytes, last_message, last_used_at)
  select added.owner, added.workflow_id, added.session_id, count(*), sum(octet_length(added.message::text)),
    max(added.id), max(added.created_at)
  from added group by added.owner, added.workflow_id, added.session_id
  on conflict on constraint studio_memory_conversations_one do update set
    messages = kept.messages + excluded.messages,
    bytes = kept.bytes + excluded.bytes,
    last_message = greatest(kept.last_message, excluded.last_message),
    last_used_at = greatest(kept.last_used_at, excluded.last_used_at);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_add_to_conversations()');
