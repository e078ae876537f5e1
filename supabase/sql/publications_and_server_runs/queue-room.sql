-- How many more runs of a workflow may be admitted, of an owner who may have p_most: `runs` of any kind, and `starts` among them.
-- Below 0 where a limit was lowered. A run counts from its admission to its end or its next wait, also while its worker is gone. A
-- start counts for a minute, and before it happens; `room_at`: when the oldest one counts no longer.
create or replace function private.studio_queue_room(p_owner uuid, p_workflow_id uuid, p_most integer)
returns table (runs integer, starts integer, room_at timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  return query
    with admitted as (
      select count(queued.attempt)::integer as all_of_them, (count(*) filter (where queued.attempt = 0))::integer as starts
      from (
        select (
          select case when runs.status = 'queued' then runs.attempt end from public.studio_runs as runs where runs.id = jobs.run_id
        ) as attempt
        from private.studio_run_jobs as jobs
        where jobs.owner = p_owner and jobs.workflow_id = p_workflow_id
      ) as queued
    ), running as (
      select count(*)::integer as all_of_them from public.studio_runs as busy
      where busy.owner = p_owner and busy.status = 'running' and busy.workflow_id = p_workflow_id and busy.source <> 'editor'
    ), recent as (
      select count(*)::integer as starts, min(started.started_at) + interval '1 minute' as room_at
      from public.studio_runs as started
      where limits -> 'perMinute' is not null and started.workflow_id = p_workflow_id and started.source <> 'editor'
        and started.attempt > 0 and started.started_at > now() - interval '1 minute'
    )
    select
      least(ceil((limits ->> 'concurrent')::numeric), p_most)::integer - running.all_of_them - admitted.all_of_them,
      coalesce(least(ceil((limits ->> 'perMinute')::numeric), 1000000)::integer - recent.starts - admitted.starts, p_most),
      recent.room_at
    from admitted, running, recent;
end;
$$;

select private.studio_grant_calls('private.studio_queue_room(uuid, uuid, integer)');
