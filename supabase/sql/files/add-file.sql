-- A file of the owner: { "$file", name, mediaType, size, sha256 }. Its bytes are the blob p_blob, or one of the same content that is
-- there already; p_blob is then garbage at once.
create or replace function public.studio_add_file(
  p_owner uuid, p_blob uuid, p_name text, p_media_type text, p_size bigint, p_sha256 text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  kept uuid;
  added public.studio_files%rowtype;
begin
  perform pg_advisory_xact_lock(7423007, hashtext(p_owner::text));
  select blobs.id into kept from private.studio_blobs as blobs
  where blobs.owner = p_owner and blobs.sha256 = p_sha256 and blobs.size = p_size;
  if kept is null then
    insert into private.studio_blobs (id, owner, size, sha256) values (p_blob, p_owner, p_size, p_sha256);
    delete from private.studio_dead_blobs as dead where dead.folder = p_owner and dead.blob = p_blob;
    kept := p_blob;
  else
    update private.studio_dead_blobs as dead set due_at = now() where dead.folder = p_owner and dead.blob = p_blob;
  end if;
  insert into public.studio_files (owner, blob, name, media_type, size, sha256)
  values (p_owner, kept, p_name, p_media_type, p_size, p_sha256)
  returning * into added;
  return jsonb_build_object('$file', added.id, 'name', added.name, 'mediaType', added.media_type,
    'size', added.size, 'sha256', added.sha256);
end;
$$;

select private.studio_grant_calls('public.studio_add_file(uuid, uuid, text, text, bigint, text)', 'service_role');
