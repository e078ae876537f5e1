-- The workflows of which runs of an owner are queued, each found by one step in the index. Without sorting, since that would read the
-- whole queue, which the planner may take for short.
create or replace function private.studio_queued_workflows(p_owner uuid) returns table (workflow_id uuid)
language plpgsql volatile security definer set search_path = '' set enable_sort = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query
    with recursive queued (workflow_id) as (
      (
        select runs.workflow_id from public.studio_runs as runs
        where runs.owner = p_owner and runs.status = 'queued'
        order by runs.workflow_id
        limit 1
      )
      union all
      select (
        select runs.workflow_id from public.studio_runs as runs
        where runs.owner = p_owner and runs.status = 'queued' and runs.workflow_id > queued.workflow_id
        order by runs.workflow_id
        limit 1
      )
      from queued where queued.workflow_id is not null
    )
    select queued.workflow_id from queued where queued.workflow_id is not null;
end;
$$;

select private.studio_grant_calls('private.studio_queued_workflows(uuid)');
