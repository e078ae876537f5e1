-- Gives a run files of its owner, which stay as long as it does.
create or replace function private.studio_give_files(p_run_id uuid, p_owner uuid, p_files uuid[]) returns void
language sql security definer set search_path = ''
as $$
  insert into private.studio_file_uses (run_id, file, owner)
  select p_run_id, files.id, files.owner from public.studio_files as files
  where files.owner = p_owner and files.id = any (p_files)
  on conflict do nothing;
$$;

select private.studio_grant_calls('private.studio_give_files(uuid, uuid, uuid[])');
