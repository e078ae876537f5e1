-- Counts a run of a worker that has ended.
create or replace function private.studio_count_run(p_run public.studio_runs) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended constant timestamptz := coalesce(p_run.ended_at, now());
  of_hour constant timestamptz := date_trunc('hour', ended at time zone 'utc') at time zone 'utc';
  of_day constant timestamptz := date_trunc('day', ended at time zone 'utc') at time zone 'utc';
  took constant numeric := greatest(extract(epoch from ended - p_run.started_at) * 1000, 1);
  class constant text := floor(4 * ln(took) / ln(2.0))::integer::text;
  before timestamptz;
  called jsonb;
  refused jsonb;
  is_new boolean;
begin
  if p_run.subject is not null then
    select seen.seen_at into before from private.studio_visitors as seen
    where seen.workflow_id = p_run.workflow_id and seen.visitor = md5(p_run.subject)::uuid;
    insert into private.studio_visitors as seen (workflow_id, visitor, seen_at)
    values (p_run.workflow_id, md5(p_run.subject)::uuid, ended)
    on conflict (workflow_id, visitor) do update set seen_at = greatest(seen.seen_at, excluded.seen_at);
  end if;
  select jsonb_object_agg(tools.name, tools.calls), jsonb_object_agg(tools.name, tools.failures) filter (where failures > 0)
  into called, refused
  from (
    select left(events.event ->> 'toolName', 100) as name, count(*) as calls,
      count(*) filter (where events.event ->> 'ok' = 'false') as failures
    from public.studio_run_events as events
    where events.run_id = p_run.id and events.run_added_at = p_run.added_at and events.type = 'tool-call-end' and events.event ->> 'toolName' is not null
    group by 1
  ) as tools;
  insert into private.studio_activity as activity (
    workflow_id, hour, runs, failed, cancelled, cost_usd, unpriced, visitors, day_visitors, durations, errors, tools,
    tool_failures)
  values (
    p_run.workflow_id, of_hour, 1,
    (p_run.status = 'failed')::integer,
    (p_run.status = 'cancelled')::integer,
    coalesce(p_run.cost_usd, 0),
    (p_run.cost_usd is null and coalesce(p_run.total_tokens, 0) > 0)::integer,
    (p_run.subject is not null and coalesce(before < of_hour, true))::integer,
    (p_run.subject is not null and coalesce(before < of_day, true))::integer,
    case when p_run.status = 'cancelled' then '{}'::jsonb
      else jsonb_build_object(class, 1) end,
    case when p_run.status = 'failed' then jsonb_build_object(coalesce(p_run.error ->> 'code', 'internal'), 1)
      else '{}'::jsonb end,
    coalesce(called, '{}'::jsonb), coalesce(refused, '{}'::jsonb)
  )
  on conflict (workflow_id, hour) do update set
    runs = activity.runs + 1,
    failed = activity.failed + excluded.failed,
    cancelled = activity.cancelled + excluded.cancelled,
    cost_usd = activity.cost_usd + excluded.cost_usd,
    unpriced = activity.unpriced + excluded.unpriced,
    visitors = activity.visitors + excluded.visitors,
    day_visitors = activity.day_visitors + excluded.day_visitors,
    durations = case when excluded.durations = '{}' then activity.durations
      else activity.durations || jsonb_build_object(class, coalesce((activity.durations ->> class)::integer, 0) + 1) end,
    errors = case when excluded.errors = '{}' then activity.errors
      else private.studio_add_counts(activity.errors, excluded.errors) end,
    tools = case when excluded.tools = '{}' then activity.tools
      else private.studio_add_counts(activity.tools, excluded.tools) end,
    tool_failures = case when excluded.tool_failures = '{}' then activity.tool_failures
      else private.studio_add_counts(activity.tool_failures, excluded.tool_failures) end
  returning activity.runs = 1 into is_new;
  if is_new then
    delete from private.studio_activity as old
    where old.workflow_id = p_run.workflow_id and old.hour < now() - interval '40 days';
    delete from private.studio_visitors as old
    where old.workflow_id = p_run.workflow_id and old.seen_at < now() - interval '40 days';
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_count_run(public.studio_runs)');
