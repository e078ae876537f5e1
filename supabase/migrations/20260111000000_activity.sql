-- How a published workflow is doing: what its runs on workers were like, hour by hour. A run is counted when it ends, so that no
-- list of runs or events has to be read, and what is counted stays when old runs are deleted.

create table private.studio_activity (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  hour timestamptz not null,
  -- Runs that have ended, those below among them.
  runs integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  cost_usd numeric not null default 0,
  -- Runs whose cost is not known.
  unpriced integer not null default 0,
  -- Those who had a run end in this hour, and those for whom it was the first of the day (UTC).
  visitors integer not null default 0,
  day_visitors integer not null default 0,
  -- How many runs took how long: { "n": runs } took from 2^(n/4) to 2^((n+1)/4) milliseconds. Without cancelled runs.
  durations jsonb not null default '{}',
  -- Failed runs by the code of their error.
  errors jsonb not null default '{}',
  -- Tool calls by the tool's name, and those of them that failed.
  tools jsonb not null default '{}',
  tool_failures jsonb not null default '{}',
  primary key (workflow_id, hour)
);

-- When a visitor, or a program's user, last had a run end.
create table private.studio_visitors (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- MD5 of the subject.
  visitor uuid not null,
  seen_at timestamptz not null,
  primary key (workflow_id, visitor)
);
create index studio_visitors_seen on private.studio_visitors (workflow_id, seen_at);

alter table private.studio_activity enable row level security;
alter table private.studio_visitors enable row level security;
revoke all on table private.studio_activity from public, anon, authenticated, service_role;
revoke all on table private.studio_visitors from public, anon, authenticated, service_role;

create index studio_runs_failed on public.studio_runs (workflow_id, started_at desc)
  where status = 'failed' and source <> 'editor';
create index studio_chat_turns_rated on public.studio_chat_turns (owner, rated_at desc) where rating is not null;

-- Two counts by name, added up: the 200 largest.
create function private.studio_add_counts(p_one jsonb, p_other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(sums.name, sums.total), '{}'::jsonb)
  from (
    select parts.key as name, sum(parts.value::integer) as total
    from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as parts
    group by parts.key order by 2 desc, 1 limit 200
  ) as sums;
$$;

-- Counts a run of a worker that has ended.
create function private.studio_count_run(p_run public.studio_runs) returns void
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
    where events.run_id = p_run.id and events.type = 'tool-call-end' and events.event ->> 'toolName' is not null
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

-- What cannot be counted must not keep a run from ending.
create function private.studio_count_ended_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_run(new);
  return null;
exception when others then
  raise warning 'A run was not counted: %', sqlerrm;
  return null;
end;
$$;

create trigger studio_runs_count_ended after update of status on public.studio_runs
  for each row
  when (
    new.source <> 'editor' and old.status in ('queued', 'running', 'waiting')
    and new.status in ('completed', 'failed', 'cancelled')
  )
  execute function private.studio_count_ended_run();

-- What has happened so far.
select private.studio_count_run(runs)
from public.studio_runs as runs
join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
where runs.source <> 'editor' and runs.status in ('completed', 'failed', 'cancelled')
  and runs.ended_at > now() - interval '31 days'
order by runs.ended_at;

-- The caller's publications, and how they have been doing since a moment: [{ workflowId, name, slug, live, runs, failed }].
create function public.studio_activity_overview(p_from timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'workflowId', own.workflow_id, 'name', workflows.name, 'slug', own.slug, 'live', own.live,
      'runs', coalesce(sums.runs, 0), 'failed', coalesce(sums.failed, 0)) order by workflows.name, own.slug), '[]'::jsonb)
    from public.studio_publications as own
    join public.studio_workflows as workflows on workflows.id = own.workflow_id and workflows.deleted_at is null
    left join lateral (
      select sum(activity.runs) as runs, sum(activity.failed) as failed from private.studio_activity as activity
      where activity.workflow_id = own.workflow_id and activity.hour >= p_from
    ) as sums on true
    where own.owner = caller
  );
end;
$$;

-- How the caller's publication has been doing since a moment, by hour or day of a time zone: { name, slug, live, buckets: [{ at, runs, failed,
-- cancelled, costUsd, unpriced, visitors, durations, up, down }], errors: [{ code, runs }], tools: [{ name, calls, failed }],
-- visitors }. Buckets without a run or a rating are left out. Raises "not_published".
create function public.studio_publication_activity(
  p_workflow_id uuid, p_from timestamptz, p_bucket text, p_time_zone text
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication record;
  since constant timestamptz := greatest(p_from, now() - interval '40 days');
begin
  select own.slug, own.live, workflows.name into publication
  from public.studio_publications as own
  join public.studio_workflows as workflows on workflows.id = own.workflow_id
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_bucket not in ('hour', 'day') then
    raise exception 'unknown_bucket' using errcode = '22023';
  end if;
  return (
    with hours as materialized (
      select activity.*, date_trunc(p_bucket, activity.hour at time zone p_time_zone) at time zone p_time_zone as bucket
      from private.studio_activity as activity
      where activity.workflow_id = p_workflow_id
        and activity.hour >= date_trunc('hour', since at time zone 'utc') at time zone 'utc'
    ), ran as (
      select hours.bucket, jsonb_build_object(
        'runs', sum(hours.runs), 'failed', sum(hours.failed), 'cancelled', sum(hours.cancelled),
        'costUsd', sum(hours.cost_usd), 'unpriced', sum(hours.unpriced),
        'visitors', case when p_bucket = 'hour' then sum(hours.visitors) else sum(hours.day_visitors) end) as counts
      from hours group by hours.bucket
    ), took as (
      select parts.bucket, jsonb_object_agg(parts.key, parts.total) as durations
      from (
        select hours.bucket, each_one.key, sum(each_one.value::integer) as total
        from hours, jsonb_each_text(hours.durations) as each_one group by 1, 2
      ) as parts
      group by parts.bucket
    ), rated as (
      select date_trunc(p_bucket, turns.rated_at at time zone p_time_zone) at time zone p_time_zone as bucket,
        jsonb_build_object(
          'up', count(*) filter (where turns.rating = 'up'), 'down', count(*) filter (where turns.rating = 'down')) as counts
      from public.studio_chat_turns as turns
      where turns.owner = caller and turns.rating is not null and turns.rated_at >= since and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads
        where threads.id = turns.thread_id and threads.owner = caller
      )
      group by 1
    ), failures as (
      select each_one.key as code, sum(each_one.value::integer) as runs
      from hours, jsonb_each_text(hours.errors) as each_one group by 1
    ), refused as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tool_failures) as each_one group by 1
    ), called as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tools) as each_one group by 1 order by 2 desc, 1 limit 50
    )
    select jsonb_build_object(
      'name', publication.name, 'slug', publication.slug, 'live', publication.live,
      'buckets', (
        select coalesce(jsonb_agg(
          jsonb_build_object('at', round(extract(epoch from all_of.bucket) * 1000))
            || coalesce(ran.counts, '{}'::jsonb) || jsonb_build_object('durations', coalesce(took.durations, '{}'::jsonb))
            || coalesce(rated.counts, '{}'::jsonb)
          order by all_of.bucket), '[]'::jsonb)
        from (select ran.bucket from ran union select rated.bucket from rated) as all_of
        left join ran on ran.bucket = all_of.bucket
        left join took on took.bucket = all_of.bucket
        left join rated on rated.bucket = all_of.bucket
      ),
      'errors', (
        select coalesce(jsonb_agg(jsonb_build_object('code', failures.code, 'runs', failures.runs)
          order by failures.runs desc, failures.code), '[]'::jsonb)
        from failures
      ),
      'tools', (
        select coalesce(jsonb_agg(
          jsonb_build_object('name', called.name, 'calls', called.calls, 'failed', coalesce(refused.calls, 0))
          order by called.calls desc, called.name), '[]'::jsonb)
        from called left join refused on refused.name = called.name
      ),
      'visitors', (
        select count(*) from private.studio_visitors as seen
        where seen.workflow_id = p_workflow_id and seen.seen_at >= since
      )
    )
  );
end;
$$;

-- Failed runs of the caller's publication on workers, the latest first: [{ id, startedAt, endedAt, source, version, error, input }].
create function public.studio_failed_runs(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'startedAt', latest.started_at, 'endedAt', latest.ended_at, 'source', latest.source,
    'version', latest.published_version, 'error', latest.error, 'input', public.studio_run_input_words(latest.input))
    order by latest.started_at desc), '[]'::jsonb)
  from (
    select runs.* from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.status = 'failed' and runs.source <> 'editor'
      and runs.owner = (select auth.uid()) and (p_before is null or runs.started_at < p_before)
    order by runs.started_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

-- What visitors of the caller's publication thought of answers, the latest first: [{ runId, at, rating, comment, input }].
create function public.studio_feedback(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'runId', latest.run_id, 'at', latest.rated_at, 'rating', latest.rating, 'comment', latest.comment,
    -- One by one: there are few, and a join would read all runs.
    'input', (select public.studio_run_input_words(runs.input) from public.studio_runs as runs where runs.id = latest.run_id))
    order by latest.rated_at desc), '[]'::jsonb)
  from (
    select turns.run_id, turns.rated_at, turns.rating, turns.comment
    from public.studio_chat_turns as turns
    -- Looked up one by one, whatever the planner believes: a database that is never analysed would join the other way round.
    where turns.owner = (select auth.uid()) and turns.rating is not null and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads where threads.id = turns.thread_id
      )
      and (p_before is null or turns.rated_at < p_before)
    order by turns.rated_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_add_counts(jsonb, jsonb)', 'studio_count_run(public.studio_runs)', 'studio_count_ended_run()'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_publication_activity(uuid, timestamptz, text, text)',
    'studio_activity_overview(timestamptz)',
    'studio_failed_runs(uuid, timestamptz, integer)',
    'studio_feedback(uuid, timestamptz, integer)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
