-- How many more runs may be admitted of an owner who may have p_most. Here and elsewhere a job's run is looked up by its id alone, and
-- then asked for its status: in one condition they have the index of what is queued read from end to end, where the planner takes the
-- queue for short.
create or replace function private.studio_owner_room(p_owner uuid, p_most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return p_most - (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor'
  ) - (
    select count(*) from private.studio_run_jobs as jobs
    where jobs.owner = p_owner
      and (select runs.status from public.studio_runs as runs where runs.id = jobs.run_id) = 'queued'
  );
end;
$$;

select private.studio_grant_calls('private.studio_owner_room(uuid, integer)');
