create or replace function private.studio_note_pinned_files() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_note_pins(new.id, new.owner, new.document);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_pinned_files()');
