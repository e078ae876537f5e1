-- Runs and their events, which are written in batches and never changed, and sums of them.
set check_function_bodies = off;

create table public.studio_runs (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  status text not null default 'running' check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted')),
  input jsonb,
  output jsonb,
  error jsonb,
  -- The workflow as it was when the run started, so that an old run can be shown on its own canvas.
  document jsonb check (octet_length(document::text) <= 5242880),
  total_tokens integer check (total_tokens >= 0),
  cost_usd numeric check (cost_usd >= 0),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  -- { runId, seq?, callId? }: the run whose recording served the beginning of this one.
  forked_from jsonb check (jsonb_typeof(forked_from) = 'object'),
  -- [{ provider, model, calls, inputTokens, outputTokens, costUsd }]; costUsd is null when a price is not known.
  usage jsonb check (jsonb_typeof(usage) = 'array' and octet_length(usage::text) <= 262144),
  -- Why an agent of a run stopped early (limit, budget, repeated call, cut or declined answer), as { finish, message }. Null
  -- for a run that did all it was asked.
  ending jsonb
    check (jsonb_typeof(ending) = 'object' and octet_length(ending::text) <= 4096),
  -- Who started it: 'editor' runs in a browser, every other one on a worker.
  source text not null default 'editor' check (source in ('editor', 'manual', 'schedule', 'api', 'webhook', 'chat', 'failure', 'mcp')),
  published_version integer,
  trigger_id uuid,
  -- The same key starts the same run: a time of a schedule, or what a program calls it.
  idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  -- How often a worker took it up.
  attempt integer not null default 0,
  -- How often a worker went away with it since its log last grew.
  lost integer not null default 0,
  worker text check (char_length(worker) <= 200),
  lease_until timestamptz,
  queued_at timestamptz,
  cancel_requested_at timestamptz,
  -- Whose key started a run, and for whom: a visitor or a program's user, within its publication.
  api_key_id uuid,
  subject text check (char_length(subject) between 1 and 500),
  is_trial boolean not null default false,
  -- Null for a run that its owner started, and for one of such an older version. Set by a trigger alone.
  callers text check (callers in ('untrusted', 'trusted')),
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_runs_page on public.studio_runs (owner, started_at desc, id desc);
create index studio_runs_of_workflow_newest on public.studio_runs (workflow_id, owner, started_at desc);
create index studio_runs_last_written on public.studio_runs (owner, updated_at);
create unique index studio_runs_idempotency on public.studio_runs (workflow_id, idempotency_key)
  where idempotency_key is not null;
create index studio_runs_queue on public.studio_runs (queued_at) where status = 'queued';
create index studio_runs_leases on public.studio_runs (lease_until) where status = 'running' and source <> 'editor';
create index studio_runs_of_api_key on public.studio_runs (api_key_id);
create index studio_runs_failed on public.studio_runs (workflow_id, started_at desc)
  where status = 'failed' and source <> 'editor';
create index studio_runs_of_status on public.studio_runs (owner, status, started_at desc, id desc);
create index studio_runs_of_tests on public.studio_runs (owner, started_at desc, id desc) where is_trial;
create index studio_runs_of_accounts on public.studio_runs (subject) where subject like 'account %';
create index studio_runs_of_trigger on public.studio_runs (trigger_id, started_at desc);
create index studio_runs_of_conversation on public.studio_runs
  (workflow_id, left(input -> 'value' ->> 'sessionId', 200), started_at desc);

create policy studio_runs_delete on public.studio_runs for delete to authenticated using (
  owner = (select auth.uid()) and (source = 'editor' or status not in ('queued', 'running', 'waiting'))
);
create policy studio_runs_insert on public.studio_runs for insert to authenticated with check (
  owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting')
  and published_version is null and trigger_id is null and idempotency_key is null and attempt = 0 and lost = 0
  and worker is null and lease_until is null and queued_at is null and cancel_requested_at is null
  and api_key_id is null and subject is null
);
create policy studio_runs_update on public.studio_runs for update to authenticated
  using (owner = (select auth.uid()) and source = 'editor')
  with check (owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting'));
select private.studio_grant_rows('public.studio_runs', 'select, insert, delete', 'id, workflow_id, status, input, output, error, document, total_tokens, cost_usd, started_at, ended_at, forked_from, usage, ending');

create table public.studio_run_events (
  run_id uuid not null,
  seq integer not null check (seq >= 0),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  at timestamptz not null,
  type text not null check (char_length(type) between 1 and 100),
  event jsonb not null check (jsonb_typeof(event) = 'object'),
  primary key (run_id, seq),
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade
);

create index studio_run_events_of_owner_and_run on public.studio_run_events (owner, run_id);

create policy studio_run_events_insert on public.studio_run_events for insert to authenticated with check (
  owner = (select auth.uid()) and exists (
    select 1 from public.studio_runs as runs where runs.id = run_id and runs.source = 'editor'
  )
);
select private.studio_grant_rows('public.studio_run_events', 'select, insert');

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

select private.studio_grant_rows('private.studio_run_sums');

-- Deletes the caller's runs beyond the limits, 90 days and 2,000 runs where nothing else was chosen, and gives how many
-- there were. Days count by the server's clock, since a run was last written. Spared are runs that may still be going on
-- (running, and written within a day) and those that wait for a worker or a person; they count. As many runs of tests stay as
-- of others, so that a long test drives nothing else out.
-- The runs beyond the limit are counted from the oldest on, of which a start of a run finds one or none. Many runs go only
-- when counting them gives the same: rows that came in beside the triggers, as from a dump of the data alone, would
-- otherwise count twice and cost their owner as many runs.
create or replace function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  ends constant timestamptz := clock_timestamp() + interval '2 seconds';
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
  while keep_days is not null loop
    delete from public.studio_runs as runs where runs.id in (
      select old.id from public.studio_runs as old
      where old.owner = caller and old.updated_at < now() - make_interval(days => keep_days)
        and old.status not in ('queued', 'waiting')
        and (old.status <> 'running' or old.updated_at < now() - interval '1 day')
      limit 50
    );
    get diagnostics deleted = row_count;
    total := total + deleted;
    exit when deleted < 50;
    if clock_timestamp() > ends then
      return total;
    end if;
  end loop;
  foreach trials in array array[false, true] loop
    beyond := public.studio_run_count(trials) - keep_runs;
    if beyond > 50 then
      select count(*) - keep_runs into beyond from public.studio_runs as runs
      where runs.owner = caller and runs.is_trial = trials;
    end if;
    continue when beyond is null or beyond <= 0;
    select newest_gone.started_at, newest_gone.id into last_started, last_id from public.studio_runs as newest_gone
    where newest_gone.owner = caller and newest_gone.is_trial = trials
    order by newest_gone.started_at, newest_gone.id offset beyond - 1 limit 1;
    loop
      delete from public.studio_runs as runs where runs.id in (
        select old.id from public.studio_runs as old
        where old.owner = caller and (old.started_at, old.id) <= (last_started, last_id) and old.is_trial = trials
          and old.status not in ('queued', 'waiting')
          and (old.status <> 'running' or old.updated_at < now() - interval '1 day')
        limit 50
      );
      get diagnostics deleted = row_count;
      total := total + deleted;
      exit when deleted < 50;
      if clock_timestamp() > ends then
        return total;
      end if;
    end loop;
  end loop;
  return total;
end;
$$;

select private.studio_grant_calls('public.studio_prune_runs()', 'authenticated', 'service_role');

-- Every start of a run clears what is over, whichever client writes it.
create or replace function public.studio_prune_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_runs();
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_on_start()', 'service_role');

-- Deletes the caller's runs that fit p_filter and are not running; gives how many there were.
create or replace function public.studio_delete_runs(p_filter jsonb) returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  deleted integer;
begin
  delete from public.studio_runs as runs
  where runs.owner = (select auth.uid()) and runs.status <> 'running'
    and runs.id in (select found.id from public.studio_find_runs(p_filter, null, null) as found);
  get diagnostics deleted = row_count;
  return deleted;
end;
$$;

select private.studio_grant_calls('public.studio_delete_runs(jsonb)', 'authenticated', 'service_role');

-- The beginning of a run's input as a list shows it; what is small stays as it is. Only what is large is read for it.
create or replace function public.studio_run_input_words(p_input jsonb) returns jsonb
language sql immutable security invoker set search_path = ''
as $$
  select case
    when pg_column_size(p_input) <= 2000 then p_input
    when jsonb_typeof(p_input #> '{value,message}') = 'string'
      then jsonb_build_object('value', jsonb_build_object('message', left(p_input #>> '{value,message}', 300)))
    when jsonb_typeof(p_input -> 'value') = 'string' then jsonb_build_object('value', left(p_input ->> 'value', 300))
    else jsonb_build_object('value', left((p_input -> 'value')::text, 300))
  end;
$$;

select private.studio_grant_calls('public.studio_run_input_words(jsonb)', 'authenticated', 'service_role');

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

-- The caller's runs that fit p_filter, newest first, at most p_limit of them, after the one named by p_after, with the
-- beginning of a large input only and without the output. p_filter: { workflowId?, statuses?, text?, from?, to?, trials? }, where
-- `trials` gives the runs of tests only (true) or all others (false); p_after: { startedAt, id } or null. With p_limit null,
-- all ids. The statement has only those conditions that were requested, so that Postgres finds an index for each combination.
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

select private.studio_grant_calls('public.studio_find_runs(jsonb, integer, jsonb)', 'authenticated', 'service_role');

-- When the quarter of an hour, or the fortnight, began that a moment belongs to. This and the next two set no search path, so
-- that Postgres can put them into the statements that use them; every name in them is one of Postgres's own or qualified.
create or replace function private.studio_sum_start(p_at timestamptz, p_wide boolean) returns timestamptz
language sql immutable
as $$
  select date_bin(
    case when p_wide then interval '14 days' else interval '15 minutes' end, p_at, timestamptz '2000-01-01 00:00:00+00');
$$;

select private.studio_grant_calls('private.studio_sum_start(timestamp with time zone, boolean)');

-- A figure of a run's usage, which clients write: nothing where it is no number, and never so large that sums overflow.
create or replace function private.studio_usage_figure(p_value jsonb) returns numeric
language sql immutable
as $$
  select case when jsonb_typeof(p_value) = 'number' then least(greatest(p_value::numeric, 0), 1e9) else 0 end;
$$;

select private.studio_grant_calls('private.studio_usage_figure(jsonb)');

-- What one run adds to the sums of its moment. It never raises, since a run has to end. Models of a run beyond the fiftieth are
-- added up without their names.
create or replace function private.studio_run_parts(p_workflow_id uuid, p_usage jsonb, p_is_trial boolean)
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

select private.studio_grant_calls('private.studio_run_parts(uuid, jsonb, boolean)');

-- How many runs the caller has, those of tests or all others, of which none is read for it.
create or replace function public.studio_run_count(p_trials boolean) returns bigint
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

select private.studio_grant_calls('public.studio_run_count(boolean)', 'authenticated', 'service_role');

-- Stores the events of the caller's run that are not stored yet; p_events: as they are in their log. p_end, for the last of
-- them: { status, output, error, total_tokens, cost_usd, ended_at, ending?, usage? } as the columns of public.studio_runs; the
-- last two stay as they are where they are missing. All or nothing.
create or replace function public.studio_record_run(p_run_id uuid, p_events jsonb, p_end jsonb default null) returns void
language plpgsql security invoker set search_path = ''
as $$
begin
  insert into public.studio_run_events (run_id, seq, at, type, event)
  select p_run_id, (given.event ->> 'seq')::integer, to_timestamp((given.event ->> 'at')::double precision / 1000),
    given.event ->> 'type', given.event
  from jsonb_array_elements(p_events) as given (event)
  on conflict (run_id, seq) do nothing;
  if p_end is not null then
    update public.studio_runs as runs set
      status = p_end ->> 'status',
      output = nullif(p_end -> 'output', 'null'),
      error = nullif(p_end -> 'error', 'null'),
      ending = coalesce(p_end -> 'ending', runs.ending),
      total_tokens = (p_end ->> 'total_tokens')::integer,
      cost_usd = (p_end ->> 'cost_usd')::numeric,
      ended_at = (p_end ->> 'ended_at')::timestamptz,
      usage = coalesce(p_end -> 'usage', runs.usage)
    where runs.id = p_run_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_record_run(uuid, jsonb, jsonb)', 'authenticated', 'service_role');

create or replace function private.studio_sum_runs_on_delete()
 RETURNS trigger
language plpgsql security definer set search_path = ''
as $function$
       begin 
    update private.studio_run_sums as sums set
      runs = sums.runs + changes.runs, calls = sums.calls + changes.calls,
      unpriced_calls = sums.unpriced_calls + changes.unpriced_calls,
      input_tokens = sums.input_tokens + changes.input_tokens,
      output_tokens = sums.output_tokens + changes.output_tokens, cost_usd = sums.cost_usd + changes.cost_usd
    from (select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (select owner, started_at, workflow_id, usage, is_trial, -1 as sign from removed) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7) as changes
    where sums.owner = changes.owner and sums.kind = changes.kind and sums.wide = changes.wide and sums.at = changes.at
      and sums.workflow_id = changes.workflow_id and sums.provider = changes.provider and sums.model = changes.model;
    delete from private.studio_run_sums as sums
    using (
      select removed.owner, span.wide, private.studio_sum_start(removed.started_at, span.wide) as at
      from removed cross join (values (false), (true)) as span (wide) group by 1, 2, 3
    ) as touched
    where sums.owner = touched.owner and sums.kind in ('time', 'workflow', 'model', 'trial') and sums.wide = touched.wide
      and sums.at = touched.at and sums.runs = 0 and sums.calls = 0 and sums.input_tokens = 0 and sums.output_tokens = 0
      and sums.cost_usd = 0;
         return null;
       end;
       $function$;

select private.studio_grant_calls('private.studio_sum_runs_on_delete()');

create or replace function private.studio_sum_runs_on_insert()
 RETURNS trigger
language plpgsql security definer set search_path = ''
as $function$
       begin 
    insert into private.studio_run_sums as sums select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (select owner, started_at, workflow_id, usage, is_trial, 1 as sign from added) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (owner, kind, wide, at, workflow_id, provider, model) do update set
      runs = sums.runs + excluded.runs, calls = sums.calls + excluded.calls,
      unpriced_calls = sums.unpriced_calls + excluded.unpriced_calls,
      input_tokens = sums.input_tokens + excluded.input_tokens,
      output_tokens = sums.output_tokens + excluded.output_tokens, cost_usd = sums.cost_usd + excluded.cost_usd;
         return null;
       end;
       $function$;

select private.studio_grant_calls('private.studio_sum_runs_on_insert()');

create or replace function private.studio_sum_runs_on_update()
 RETURNS trigger
language plpgsql security definer set search_path = ''
as $function$
       begin 
    if not exists (
      select owner, started_at, workflow_id, usage, is_trial from added except all
      select owner, started_at, workflow_id, usage, is_trial from removed
    ) then
      return null;
    end if;
    insert into private.studio_run_sums as sums select runs.owner, part.kind, span.wide, private.studio_sum_start(runs.started_at, span.wide) as at,
      part.workflow_id, part.provider, part.model, sum(runs.sign * part.runs)::bigint as runs,
      sum(runs.sign * part.calls)::bigint as calls, sum(runs.sign * part.unpriced_calls)::bigint as unpriced_calls,
      sum(runs.sign * part.input_tokens)::bigint as input_tokens,
      sum(runs.sign * part.output_tokens)::bigint as output_tokens, sum(runs.sign * part.cost_usd) as cost_usd
    from (select owner, started_at, workflow_id, usage, is_trial, 1 as sign from added union all select owner, started_at, workflow_id, usage, is_trial, -1 as sign from removed) as runs
    cross join lateral private.studio_run_parts(runs.workflow_id, runs.usage, runs.is_trial) as part
    cross join (values (false), (true)) as span (wide)
    group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (owner, kind, wide, at, workflow_id, provider, model) do update set
      runs = sums.runs + excluded.runs, calls = sums.calls + excluded.calls,
      unpriced_calls = sums.unpriced_calls + excluded.unpriced_calls,
      input_tokens = sums.input_tokens + excluded.input_tokens,
      output_tokens = sums.output_tokens + excluded.output_tokens, cost_usd = sums.cost_usd + excluded.cost_usd;
         return null;
       end;
       $function$;

select private.studio_grant_calls('private.studio_sum_runs_on_update()');

create trigger studio_runs_touch before update on public.studio_runs
  for each row execute function public.studio_touch_updated_at();
create trigger studio_runs_prune_conversations after insert on public.studio_runs
  for each statement execute function public.studio_prune_conversations_on_start();
-- After the sums, which now say how many runs there are.
create trigger studio_write_2_prune after insert on public.studio_runs
  for each statement execute function public.studio_prune_on_start();

select private.studio_count_table('public.studio_runs', 'rows',
  'coalesce(octet_length(item.input::text), 0) + coalesce(octet_length(item.output::text), 0)
   + coalesce(octet_length(item.error::text), 0) + coalesce(octet_length(item.document::text), 0)
   + coalesce(octet_length(item.usage::text), 0)');
select private.studio_count_table('public.studio_run_events', 'events', 'octet_length(item.event::text)');

create trigger studio_write_1_sum_insert after insert on public.studio_runs referencing new table as added
  for each statement execute function private.studio_sum_runs_on_insert();
create trigger studio_write_1_sum_update after update on public.studio_runs referencing old table as removed new table as added
  for each statement execute function private.studio_sum_runs_on_update();
create trigger studio_write_1_sum_delete after delete on public.studio_runs referencing old table as removed
  for each statement execute function private.studio_sum_runs_on_delete();

reset check_function_bodies;
