-- A file and where its bytes are: { folder, blob, file }; null where the owner has none with this id, or the run neither received nor
-- made it. One of p_owner and p_run is given.
create or replace function public.studio_read_file(p_file uuid, p_owner uuid default null, p_run uuid default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('folder', files.owner, 'blob', files.blob, 'file', jsonb_build_object('$file', files.id,
    'name', files.name, 'mediaType', files.media_type, 'size', files.size, 'sha256', files.sha256))
  from public.studio_files as files
  where files.id = p_file and (files.owner = p_owner or exists (
    select from private.studio_file_uses as uses where uses.file = files.id and uses.run_id = p_run));
$$;

select private.studio_grant_calls('public.studio_read_file(uuid, uuid, uuid)', 'service_role');
