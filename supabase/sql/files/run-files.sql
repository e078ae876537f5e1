-- The files that a run was given or has made, as its nodes know them: a list of { "$file", name, mediaType, size, sha256 }.
create or replace function private.studio_run_files(p_run_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('$file', files.id, 'name', files.name, 'mediaType', files.media_type,
    'size', files.size, 'sha256', files.sha256) order by files.created_at, files.id), '[]')
  from private.studio_file_uses as uses join public.studio_files as files on files.id = uses.file and files.owner = uses.owner
  where uses.run_id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_files(uuid)', 'studio_worker');
