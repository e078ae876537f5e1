-- Bytes go when the last file that has them does.
create or replace function private.studio_drop_blobs() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed uuid;
begin
  for changed in select distinct removed.owner from removed order by removed.owner loop
    perform pg_advisory_xact_lock(7423007, hashtext(changed::text));
  end loop;
  delete from private.studio_blobs as blobs where blobs.id in (select removed.blob from removed)
    and not exists (select from public.studio_files as files where files.blob = blobs.id);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_drop_blobs()');
