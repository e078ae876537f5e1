-- The schedules of the caller's published workflow. `last_run` is { id, status, ending, startedAt, error }, null where none is
-- stored any more, or none ever started.
create or replace function public.studio_schedules(p_workflow_id uuid) returns table (
  id uuid, node_id text, cron text, time_zone text, missed text, enabled boolean, next_at timestamptz, last_at timestamptz,
  skipped_at timestamptz, problem text, start_problem text, refused_at timestamptz, last_run jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select triggers.id, triggers.node_id, triggers.cron, triggers.time_zone, triggers.missed, triggers.enabled,
    triggers.next_at, triggers.last_at, triggers.skipped_at, triggers.problem, triggers.start_problem, triggers.refused_at,
    last.run
  from public.studio_triggers as triggers
  left join lateral (
    select jsonb_build_object(
      'id', runs.id, 'status', runs.status, 'ending', runs.ending, 'startedAt', runs.started_at,
      'error', runs.error ->> 'message'
    ) as run
    from public.studio_runs as runs
    where runs.trigger_id = triggers.id and runs.owner = (select auth.uid())
    order by runs.started_at desc limit 1
  ) as last on true
  where triggers.workflow_id = p_workflow_id and triggers.owner = (select auth.uid())
  order by triggers.node_id;
$$;

select private.studio_grant_calls('public.studio_schedules(uuid)', 'authenticated', 'service_role');
