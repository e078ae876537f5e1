-- Who gave the input of a run that a worker has claimed.
create or replace function private.studio_run_callers(p_run_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select runs.callers from public.studio_runs as runs where runs.id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_callers(uuid)', 'studio_worker');
