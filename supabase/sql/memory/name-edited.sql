create or replace function private.studio_name_edited() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_name_conversation(kept.id)
  from changed join public.studio_memory_conversations as kept
    on kept.owner = changed.owner and kept.session_id = changed.session_id and kept.title_message = changed.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_name_edited()');
