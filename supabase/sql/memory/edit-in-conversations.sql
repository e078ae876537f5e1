-- An edit changes the size alone: neither whose message it is nor its conversation can be changed.
create or replace function private.studio_edit_in_conversations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_memory_conversations as kept set bytes = kept.bytes + edited.bytes
  from (
    select after.owner, after.workflow_id, after.session_id,
      sum(octet_length(after.message::text) - octet_length(before.message::text)) as bytes
    from changed as after join replaced as before on before.id = after.id
    group by after.owner, after.workflow_id, after.session_id
  ) as edited
  where kept.owner = edited.owner and kept.workflow_id is not distinct from edited.workflow_id
    and kept.session_id = edited.session_id and edited.bytes <> 0;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_edit_in_conversations()');
