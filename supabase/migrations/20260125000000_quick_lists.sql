-- Lists and sums that take as long with 50,000 runs as with fifty.

-- The history --------------------------------------------------------------------------------------------

create index studio_runs_of_status on public.studio_runs (owner, status, started_at desc, id desc);
create index studio_runs_of_tests on public.studio_runs (owner, started_at desc, id desc) where is_trial;

-- As before, but with only those conditions in the statement that were asked for, so that Postgres finds an index for each
-- combination, and with names for the rows of the page alone.
create or replace function public.studio_find_runs(p_filter jsonb, p_limit integer, p_after jsonb)
returns table (
  id uuid, workflow_id uuid, workflow_name text, status text, input jsonb, output jsonb, error jsonb,
  total_tokens integer, cost_usd numeric, started_at timestamptz, ended_at timestamptz, forked_from jsonb,
  ending jsonb, source text, published_version integer, trigger_id uuid, attempt integer, worker text,
  queued_at timestamptz, cancel_requested_at timestamptz, is_trial boolean
)
language plpgsql stable security invoker set search_path = ''
as $$
declare
  statuses constant text[] := (
    select array_agg(wanted.value)
    from jsonb_array_elements_text(p_filter -> 'statuses') as wanted (value)
  );
  -- As the text stands inside JSON: quotes and line breaks escaped, without the quotes around it.
  words constant text := lower(substring(
    (p_filter -> 'text')::text from 2 for length((p_filter -> 'text')::text) - 2));
  conditions constant text := concat_ws(' and ', 'runs.owner = (select auth.uid())',
    case when p_filter ->> 'workflowId' is not null then 'runs.workflow_id = $1' end,
    case
      when p_filter -> 'statuses' is null then null
      -- One alone can be read in order.
      when cardinality(statuses) = 1 then 'runs.status = $2[1]'
      else 'runs.status = any ($2)'
    end,
    case when p_filter -> 'sources' is not null then '$3 ? runs.source' end,
    case (p_filter ->> 'trials')::boolean when true then 'runs.is_trial' when false then 'not runs.is_trial' end,
    case when p_filter ->> 'from' is not null then 'runs.started_at >= $4' end,
    case when p_filter ->> 'to' is not null then 'runs.started_at < $5' end,
    case when p_filter ->> 'text' is not null then 'position($6 in lower(runs.input::text)) > 0' end,
    case when p_after is not null then '(runs.started_at, runs.id) < ($7, $8)' end);
begin
  return query execute
    'select page.id, page.workflow_id, workflows.name, page.status, public.studio_run_input_words(page.input), null::jsonb,
       page.error, page.total_tokens, page.cost_usd, page.started_at, page.ended_at, page.forked_from,
       page.ending, page.source, page.published_version, page.trigger_id, page.attempt, page.worker,
       page.queued_at, page.cancel_requested_at, page.is_trial
     from (
       select runs.* from public.studio_runs as runs where ' || conditions || '
       order by runs.started_at desc, runs.id desc limit $9
     ) as page
     join public.studio_workflows as workflows on workflows.id = page.workflow_id
     order by page.started_at desc, page.id desc'
  using (p_filter ->> 'workflowId')::uuid, statuses, p_filter -> 'sources', (p_filter ->> 'from')::timestamptz,
    (p_filter ->> 'to')::timestamptz, words, (p_after ->> 'startedAt')::timestamptz, (p_after ->> 'id')::uuid, p_limit;
end;
$$;

-- Sums of runs -------------------------------------------------------------------------------------------

-- What an account's runs took, kept by triggers: for each quarter of an hour, of which the days of all time zones are made, and
-- again for each fortnight (`wide`). Kinds: `time` adds up all, `workflow`
-- each workflow, `model` each model; `trial` counts the runs of tests among them.
create table private.studio_run_sums (
  owner uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('time', 'workflow', 'model', 'trial')),
  wide boolean not null,
  -- When it begins.
  at timestamptz not null,
  -- Zeros, and empty texts, where the kind has none.
  workflow_id uuid not null,
  provider text not null,
  model text not null,
  runs bigint not null,
  calls bigint not null,
  -- Calls without a known price, which the cost leaves out.
  unpriced_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_usd numeric not null,
  primary key (owner, kind, wide, at, workflow_id, provider, model)
);

alter table private.studio_run_sums enable row level security;
revoke all on table private.studio_run_sums from public, anon, authenticated, service_role;

-- When the quarter of an hour, or the fortnight, began that a moment belongs to. This and the next two set no search path, so
-- that Postgres can put them into the statements that use them; every name in them is one of Postgres's own or qualified.
create function private.studio_sum_start(p_at timestamptz, p_wide boolean) returns timestamptz
language sql immutable
as $$
  select date_bin(
    case when p_wide then interval '14 days' else interval '15 minutes' end, p_at, timestamptz '2000-01-01 00:00:00+00');
$$;

-- A figure of a run's usage, which clients write: nothing where it is no number, and never so large that sums overflow.
create function private.studio_usage_figure(p_value jsonb) returns numeric
language sql immutable
as $$
  select case when jsonb_typeof(p_value) = 'number' then least(greatest(p_value::numeric, 0), 1e9) else 0 end;
$$;

-- What one run adds to the sums of its moment. It never raises, since a run has to end. Models of a run beyond the fiftieth are
-- added up without their names.
create function private.studio_run_parts(p_workflow_id uuid, p_usage jsonb, p_is_trial boolean)
returns table (
  kind text, workflow_id uuid, provider text, model text, runs bigint, calls bigint, unpriced_calls bigint,
  input_tokens bigint, output_tokens bigint, cost_usd numeric
)
language sql immutable
as $$
  with used as (
    select
      case when given.place <= 50 then left(coalesce(given.value ->> 'provider', ''), 200) else '' end as provider,
      case when given.place <= 50 then left(coalesce(given.value ->> 'model', ''), 200) else '' end as model,
      trunc(private.studio_usage_figure(given.value -> 'calls'))::bigint as calls,
      given.value ->> 'costUsd' is null as unpriced,
      trunc(private.studio_usage_figure(given.value -> 'inputTokens'))::bigint as input_tokens,
      trunc(private.studio_usage_figure(given.value -> 'outputTokens'))::bigint as output_tokens,
      private.studio_usage_figure(given.value -> 'costUsd') as cost_usd
    from jsonb_array_elements(coalesce(p_usage, '[]'::jsonb)) with ordinality as given (value, place)
  ), total as (
    select coalesce(sum(used.calls), 0)::bigint as calls,
      coalesce(sum(used.calls) filter (where used.unpriced), 0)::bigint as unpriced_calls,
      coalesce(sum(used.input_tokens), 0)::bigint as input_tokens,
      coalesce(sum(used.output_tokens), 0)::bigint as output_tokens, coalesce(sum(used.cost_usd), 0) as cost_usd
    from used
  )
  select 'time', '00000000-0000-0000-0000-000000000000'::uuid, '', '', 1::bigint, total.* from total
  union all
  select 'workflow', p_workflow_id, '', '', 1, total.* from total
  union all
  select 'model', '00000000-0000-0000-0000-000000000000', used.provider, used.model, 0, sum(used.calls)::bigint,
    coalesce(sum(used.calls) filter (where used.unpriced), 0)::bigint, sum(used.input_tokens)::bigint,
    sum(used.output_tokens)::bigint, sum(used.cost_usd)
  from used group by used.provider, used.model
  union all
  select 'trial', '00000000-0000-0000-0000-000000000000', '', '', 1, 0, 0, 0, 0, 0 where p_is_trial;
$$;

-- What a statement changes in the sums: runs that it wrote count, and runs as they were before count against it. One function for
-- each event, so that Postgres plans its statement once.
do $$
declare
  written constant text := 'select owner, started_at, workflow_id, usage, is_trial, 1 as sign from added';
  before constant text := 'select owner, started_at, workflow_id, usage, is_trial, -1 as sign from removed';
  changes constant text := 'select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (%s) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7';
  added_to constant text := '
    insert into private.studio_run_sums as sums %s order by 1, 2, 3, 4, 5, 6, 7
    on conflict (owner, kind, wide, at, workflow_id, provider, model) do update set
      runs = sums.runs + excluded.runs, calls = sums.calls + excluded.calls,
      unpriced_calls = sums.unpriced_calls + excluded.unpriced_calls,
      input_tokens = sums.input_tokens + excluded.input_tokens,
      output_tokens = sums.output_tokens + excluded.output_tokens, cost_usd = sums.cost_usd + excluded.cost_usd;';
  -- Never inserted: the sums of an account that is being deleted may have gone before its runs.
  taken_from constant text := '
    update private.studio_run_sums as sums set
      runs = sums.runs + changes.runs, calls = sums.calls + changes.calls,
      unpriced_calls = sums.unpriced_calls + changes.unpriced_calls,
      input_tokens = sums.input_tokens + changes.input_tokens,
      output_tokens = sums.output_tokens + changes.output_tokens, cost_usd = sums.cost_usd + changes.cost_usd
    from (%s) as changes
    where sums.owner = changes.owner and sums.kind = changes.kind and sums.wide = changes.wide and sums.at = changes.at
      and sums.workflow_id = changes.workflow_id and sums.provider = changes.provider and sums.model = changes.model;
    delete from private.studio_run_sums as sums
    using (
      select removed.owner, span.wide, private.studio_sum_start(removed.started_at, span.wide) as at
      from removed cross join (values (false), (true)) as span (wide) group by 1, 2, 3
    ) as touched
    where sums.owner = touched.owner and sums.kind in (''time'', ''workflow'', ''model'', ''trial'') and sums.wide = touched.wide
      and sums.at = touched.at and sums.runs = 0 and sums.calls = 0 and sums.input_tokens = 0 and sums.output_tokens = 0
      and sums.cost_usd = 0;';
  -- Most updates change nothing that counts.
  unless_the_same constant text := '
    if not exists (
      select owner, started_at, workflow_id, usage, is_trial from added except all
      select owner, started_at, workflow_id, usage, is_trial from removed
    ) then
      return null;
    end if;';
  event text;
begin
  foreach event in array array['insert', 'update', 'delete'] loop
    execute format(
      'create function private.studio_sum_runs_on_%s() returns trigger
       language plpgsql security definer set search_path = ''''
       as $function$
       begin %s
         return null;
       end;
       $function$',
      event,
      case event
        when 'insert' then format(added_to, format(changes, written))
        when 'update' then unless_the_same || format(added_to, format(changes, written || ' union all ' || before))
        else format(taken_from, format(changes, before))
      end);
    execute format(
      'revoke all on function private.studio_sum_runs_on_%s() from public, anon, authenticated, service_role', event);
    -- Triggers of one event fire by name: these come after those that count usage, which make writers of one account take turns.
    execute format(
      'create trigger studio_write_1_sum_%1$s after %1$s on public.studio_runs referencing %2$s
       for each statement execute function private.studio_sum_runs_on_%1$s()',
      event,
      case event
        when 'insert' then 'new table as added'
        when 'update' then 'old table as removed new table as added'
        else 'old table as removed' end);
  end loop;
end;
$$;

insert into private.studio_run_sums
select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide), part.workflow_id,
  part.provider, part.model, sum(part.runs), sum(part.calls), sum(part.unpriced_calls), sum(part.input_tokens),
  sum(part.output_tokens), sum(part.cost_usd)
from public.studio_runs as runs
cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
cross join (values (false), (true)) as span (wide)
group by 1, 2, 3, 4, 5, 6, 7;

-- As before, but from the sums: only what begins or ends within a quarter of an hour is read run by run.
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

-- How many runs the caller has, those of tests or all others, of which none is read for it.
create function public.studio_run_count(p_trials boolean) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(case when p_trials then counted.trials else counted.runs - counted.trials end, 0)::bigint
    from (
      select sum(sums.runs) filter (where sums.kind = 'time') as runs,
        coalesce(sum(sums.runs) filter (where sums.kind = 'trial'), 0) as trials
      from private.studio_run_sums as sums
      where sums.owner = caller and sums.kind in ('time', 'trial') and sums.wide
    ) as counted
  );
end;
$$;

-- As before, but the runs beyond the limit are counted from the oldest on, of which a start of a run finds one or none.
create or replace function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  keep_runs integer;
  trials boolean;
  beyond bigint;
  last_started timestamptz;
  last_id uuid;
  deleted integer;
  total integer := 0;
begin
  select (settings.value ->> 'keepDays')::integer, (settings.value ->> 'keepRuns')::integer into keep_days, keep_runs
  from public.studio_settings as settings where settings.owner = caller and settings.name = 'run-retention';
  if not found then
    keep_days := 90;
    keep_runs := 2000;
  end if;
  if keep_days is not null then
    delete from public.studio_runs as runs
    where runs.owner = caller and runs.updated_at < now() - make_interval(days => keep_days)
      and runs.status not in ('queued', 'waiting')
      and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
    get diagnostics total = row_count;
  end if;
  foreach trials in array array[false, true] loop
    beyond := public.studio_run_count(trials) - keep_runs;
    continue when beyond is null or beyond <= 0;
    select newest_gone.started_at, newest_gone.id into last_started, last_id from public.studio_runs as newest_gone
    where newest_gone.owner = caller and newest_gone.is_trial = trials
    order by newest_gone.started_at, newest_gone.id offset beyond - 1 limit 1;
    delete from public.studio_runs as runs
    where runs.owner = caller and (runs.started_at, runs.id) <= (last_started, last_id) and runs.is_trial = trials
      and runs.status not in ('queued', 'waiting')
      and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
    get diagnostics deleted = row_count;
    total := total + deleted;
  end loop;
  return total;
end;
$$;

-- After the sums, which now say how many runs there are.
alter trigger studio_runs_prune on public.studio_runs rename to studio_write_2_prune;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_sum_start(timestamptz, boolean)', 'studio_usage_figure(jsonb)', 'studio_run_parts(uuid, jsonb, boolean)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
end;
$$;
revoke all on function public.studio_run_count(boolean) from public, anon, authenticated;
grant execute on function public.studio_run_count(boolean) to authenticated, service_role;

-- Pictures in the library ----------------------------------------------------------------------------------

-- What a picture of each of the caller's workflows needs: the document without configs, but for where groups and notes stand.
-- At most 100.
create function public.studio_workflow_outlines(p_ids uuid[]) returns table (id uuid, document jsonb)
language sql stable security invoker set search_path = ''
as $$
  select workflows.id,
    case
      when jsonb_typeof(workflows.document -> 'nodes') = 'object' then (workflows.document - 'nodes') || jsonb_build_object(
        'nodes', (
          select coalesce(jsonb_object_agg(nodes.key, case
            when jsonb_typeof(nodes.value -> 'config') = 'object' then nodes.value || jsonb_build_object(
              'config', jsonb_strip_nulls(jsonb_build_object(
                'width', nodes.value #> '{config,width}', 'height', nodes.value #> '{config,height}',
                'folded', nodes.value #> '{config,folded}', 'members', nodes.value #> '{config,members}')))
            else nodes.value
          end), '{}'::jsonb)
          from jsonb_each(workflows.document -> 'nodes') as nodes
        ))
      else workflows.document
    end
  from public.studio_workflows as workflows
  where workflows.owner = (select auth.uid()) and workflows.id = any (p_ids[1:100]);
$$;

revoke all on function public.studio_workflow_outlines(uuid[]) from public, anon, authenticated;
grant execute on function public.studio_workflow_outlines(uuid[]) to authenticated, service_role;
