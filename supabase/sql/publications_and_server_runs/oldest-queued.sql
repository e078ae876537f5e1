-- The oldest queued runs of a workflow without a job, p_most of them: p_begun 1 for those that had begun, 0 for starts. In the order of
-- the index, as in studio_queued_workflows.
create or replace function private.studio_oldest_queued(p_owner uuid, p_workflow_id uuid, p_begun integer, p_most integer)
returns table (id uuid, queued_at timestamptz)
language plpgsql volatile security definer set search_path = '' set enable_sort = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query
    select runs.id, runs.queued_at from public.studio_runs as runs
    where runs.owner = p_owner and runs.workflow_id = p_workflow_id and runs.status = 'queued' and least(runs.attempt, 1) = p_begun
      and not exists (select from private.studio_run_jobs as jobs where jobs.run_id = runs.id)
    order by runs.queued_at
    limit greatest(p_most, 0);
end;
$$;

select private.studio_grant_calls('private.studio_oldest_queued(uuid, uuid, integer, integer)');
