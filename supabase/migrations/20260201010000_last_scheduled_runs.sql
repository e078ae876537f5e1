-- A list of schedules says how the last run of each went, and which time was left out since then.

-- The time that was left out last, since no worker was there when it came.
alter table public.studio_triggers add column skipped_at timestamptz;

-- The last run of a trigger is found without reading the others.
drop index public.studio_runs_of_trigger;
create index studio_runs_of_trigger on public.studio_runs (trigger_id, started_at desc);

-- As before, and keeps which time was left out: one that had come, and for which no run starts.
create or replace function private.studio_fire_trigger(
  p_trigger_id uuid, p_slot timestamptz, p_next_at timestamptz, p_problem text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  due public.studio_triggers%rowtype;
  started jsonb;
begin
  update public.studio_triggers as triggers set
    skipped_at = case
      when p_slot is null and p_problem is null and triggers.next_at <= now() then triggers.next_at
      else triggers.skipped_at
    end,
    next_at = p_next_at, problem = p_problem, last_at = coalesce(p_slot, triggers.last_at)
  where triggers.id = p_trigger_id
  returning * into due;
  if not found or p_slot is null then
    return null;
  end if;
  started := private.studio_queue_run(
    due.workflow_id, 'live',
    due.input || jsonb_build_object('scheduledAt', to_char(p_slot at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    'schedule', 'schedule ' || due.node_id || ' ' || extract(epoch from p_slot)::bigint, due.id, null);
  return (started ->> 'id')::uuid;
end;
$$;

-- The schedules of the caller's published workflow. `last_run` is { id, status, ending, startedAt, error }, null where none is
-- stored any more, or none ever started.
create function public.studio_schedules(p_workflow_id uuid) returns table (
  id uuid, node_id text, cron text, time_zone text, missed text, enabled boolean, next_at timestamptz, last_at timestamptz,
  skipped_at timestamptz, problem text, last_run jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select triggers.id, triggers.node_id, triggers.cron, triggers.time_zone, triggers.missed, triggers.enabled,
    triggers.next_at, triggers.last_at, triggers.skipped_at, triggers.problem, last.run
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

revoke all on function public.studio_schedules(uuid) from public, anon, authenticated;
grant execute on function public.studio_schedules(uuid) to authenticated, service_role;
