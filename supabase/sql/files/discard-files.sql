-- Deletes files that were stored for a run which was then not started.
create or replace function public.studio_discard_files(p_owner uuid, p_files uuid[]) returns void
language sql security definer set search_path = ''
as $$
  delete from public.studio_files as files
  where files.owner = p_owner and files.id = any (p_files)
    and not exists (select from private.studio_file_uses as uses where uses.file = files.id and uses.owner = files.owner);
$$;

select private.studio_grant_calls('public.studio_discard_files(uuid, uuid[])', 'service_role');
