-- What goes here is in storage still. It is remembered under no owner, since it outlasts an account that is deleted.
create or replace function private.studio_note_dead_blobs() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_dead_blobs (folder, blob) select removed.owner, removed.id from removed
  on conflict (folder, blob) do update set due_at = now();
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_note_dead_blobs()');
