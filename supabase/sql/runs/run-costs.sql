-- What the caller's runs that began in [p_from, p_to) took, added up along four axes: `total` (one row), `day` of the time
-- zone, `workflow` and `model`. Of workflows and models the p_most dearest (200 at most) have a row each; the others share
-- one with key null, and `merged` says how many they are, so that every axis adds up to the total. Costs leave out calls
-- without a known price, which unpriced_calls counts. Models have no count of runs.
-- It reads the sums; only what begins or ends within a quarter of an hour is read run by run.
create or replace function public.studio_run_costs(p_from timestamptz, p_to timestamptz, p_time_zone text, p_most integer)
returns table (
  axis text, key text, name text, provider text, merged bigint, runs bigint, calls bigint, unpriced_calls bigint,
  input_tokens bigint, output_tokens bigint, cost_usd numeric
)
language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  caller constant uuid := auth.uid();
  -- Whole quarters of an hour, and whole fortnights among them.
  first_quarter constant timestamptz :=
    least(private.studio_sum_start(p_from + interval '15 minutes' - interval '1 microsecond', false), p_to);
  last_quarter constant timestamptz := greatest(private.studio_sum_start(p_to, false), first_quarter);
  first_wide constant timestamptz :=
    least(private.studio_sum_start(first_quarter + interval '14 days' - interval '1 microsecond', true), last_quarter);
  last_wide constant timestamptz := greatest(private.studio_sum_start(last_quarter, true), first_wide);
begin
  return query
    with edges as materialized (
      select own.started_at as at, part.*
      from (
        select runs.started_at, runs.workflow_id, runs.usage from public.studio_runs as runs
        where runs.owner = caller and runs.started_at >= p_from and runs.started_at < first_quarter
        union all
        select runs.started_at, runs.workflow_id, runs.usage from public.studio_runs as runs
        where runs.owner = caller and runs.started_at >= last_quarter and runs.started_at < p_to
      ) as own
      cross join lateral private.studio_run_parts(own.workflow_id, own.usage, false) as part
    ), days as materialized (
      select (moments.at at time zone p_time_zone)::date as day, sum(moments.runs)::bigint as runs, sum(moments.calls)::bigint as calls,
        sum(moments.unpriced_calls)::bigint as unpriced_calls, sum(moments.input_tokens)::bigint as input_tokens,
        sum(moments.output_tokens)::bigint as output_tokens, sum(moments.cost_usd) as cost_usd
      from (
        select sums.at, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'time' and not sums.wide
          and sums.at >= first_quarter and sums.at < last_quarter
        union all
        select edges.at, edges.runs, edges.calls, edges.unpriced_calls, edges.input_tokens, edges.output_tokens,
          edges.cost_usd
        from edges where edges.kind = 'time'
      ) as moments
      group by 1
    ), sums as (
      select 'total' as axis, null::date as day, null::uuid as workflow_id, null::text as provider, null::text as model,
        sum(days.runs)::bigint as runs, sum(days.calls)::bigint as calls,
        sum(days.unpriced_calls)::bigint as unpriced_calls, sum(days.input_tokens)::bigint as input_tokens,
        sum(days.output_tokens)::bigint as output_tokens, sum(days.cost_usd) as cost_usd
      from days
      union all
      select 'day', days.day, null, null, null, days.runs, days.calls, days.unpriced_calls, days.input_tokens,
        days.output_tokens, days.cost_usd
      from days
      union all
      select 'workflow', null, parts.workflow_id, null, null, sum(parts.runs)::bigint as runs, sum(parts.calls)::bigint as calls,
        sum(parts.unpriced_calls)::bigint as unpriced_calls, sum(parts.input_tokens)::bigint as input_tokens,
        sum(parts.output_tokens)::bigint as output_tokens, sum(parts.cost_usd) as cost_usd
      from (
        select sums.workflow_id, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'workflow' and not sums.wide
          and sums.at >= first_quarter and sums.at < first_wide
        union all
        select sums.workflow_id, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'workflow' and sums.wide
          and sums.at >= first_wide and sums.at < last_wide
        union all
        select sums.workflow_id, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'workflow' and not sums.wide
          and sums.at >= last_wide and sums.at < last_quarter
        union all
        select edges.workflow_id, edges.runs, edges.calls, edges.unpriced_calls, edges.input_tokens, edges.output_tokens,
          edges.cost_usd
        from edges where edges.kind = 'workflow'
      ) as parts
      group by parts.workflow_id
      union all
      select 'model', null, null, parts.provider, parts.model, sum(parts.runs)::bigint as runs, sum(parts.calls)::bigint as calls,
        sum(parts.unpriced_calls)::bigint as unpriced_calls, sum(parts.input_tokens)::bigint as input_tokens,
        sum(parts.output_tokens)::bigint as output_tokens, sum(parts.cost_usd) as cost_usd
      from (
        select sums.provider, sums.model, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'model' and not sums.wide
          and sums.at >= first_quarter and sums.at < first_wide
        union all
        select sums.provider, sums.model, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'model' and sums.wide
          and sums.at >= first_wide and sums.at < last_wide
        union all
        select sums.provider, sums.model, sums.runs, sums.calls, sums.unpriced_calls, sums.input_tokens, sums.output_tokens, sums.cost_usd
        from private.studio_run_sums as sums
        where sums.owner = caller and sums.kind = 'model' and not sums.wide
          and sums.at >= last_wide and sums.at < last_quarter
        union all
        select edges.provider, edges.model, edges.runs, edges.calls, edges.unpriced_calls, edges.input_tokens, edges.output_tokens,
          edges.cost_usd
        from edges where edges.kind = 'model'
      ) as parts
      group by parts.provider, parts.model
    ), ranked as (
      select sums.*, coalesce(sums.day::text, sums.workflow_id::text, sums.model, '') as key,
        case
          when sums.axis = 'day' then row_number() over (partition by sums.axis order by sums.day desc) <= 400
          else row_number() over (
            partition by sums.axis
            order by sums.cost_usd desc, sums.input_tokens + sums.output_tokens desc, sums.runs desc, sums.workflow_id,
              sums.model, sums.provider
          ) <= least(greatest(p_most, 1), 200)
        end as shown
      from sums
      -- What was deleted may leave a sum of nothing.
      where sums.runs > 0 or sums.calls > 0 or sums.input_tokens > 0 or sums.output_tokens > 0
    ), bounded as (
      select ranked.axis, case when ranked.shown then ranked.key end as key,
        case when ranked.shown then ranked.workflow_id end as workflow_id,
        case when ranked.shown then ranked.provider end as provider, count(*) as merged, sum(ranked.runs)::bigint as runs,
        sum(ranked.calls)::bigint as calls, sum(ranked.unpriced_calls)::bigint as unpriced_calls,
        sum(ranked.input_tokens)::bigint as input_tokens, sum(ranked.output_tokens)::bigint as output_tokens,
        sum(ranked.cost_usd) as cost_usd
      from ranked
      group by 1, 2, 3, 4
    )
    select bounded.axis, bounded.key, coalesce(workflows.name, bounded.key, ''), coalesce(bounded.provider, ''),
      bounded.merged, bounded.runs, bounded.calls, bounded.unpriced_calls, bounded.input_tokens, bounded.output_tokens,
      bounded.cost_usd
    from bounded
    left join public.studio_workflows as workflows on workflows.id = bounded.workflow_id and workflows.owner = caller
    order by bounded.axis, bounded.key is null, case when bounded.axis = 'day' then bounded.key end,
      bounded.cost_usd desc, bounded.input_tokens + bounded.output_tokens desc, bounded.runs desc, bounded.key;
end;
$$;

select private.studio_grant_calls('public.studio_run_costs(timestamp with time zone, timestamp with time zone, text, integer)', 'authenticated', 'service_role');
