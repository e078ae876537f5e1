-- How the caller's publication has been doing since a moment, by hour or day of a time zone: { name, slug, live, buckets: [{ at, runs, failed,
-- cancelled, costUsd, unpriced, visitors, durations, up, down }], errors: [{ code, runs }], tools: [{ name, calls, failed }],
-- visitors }. Buckets without a run or a rating are left out. Raises "not_published".
create or replace function public.studio_publication_activity(
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
    raise exception 'not_published' using errcode = 'PT404';
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

select private.studio_grant_calls('public.studio_publication_activity(uuid, timestamp with time zone, text, text)', 'authenticated', 'service_role');
