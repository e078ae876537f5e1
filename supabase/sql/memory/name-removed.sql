-- Pruning takes whole turns and leaves the name; a message that a person deletes goes alone, and out of the name as well.
create or replace function private.studio_name_removed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select count(*) from removed) = 1 then
    perform private.studio_name_conversation(kept.id)
    from removed join public.studio_memory_conversations as kept
      on kept.owner = removed.owner and kept.session_id = removed.session_id and kept.title_message = removed.id;
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_removed()');
