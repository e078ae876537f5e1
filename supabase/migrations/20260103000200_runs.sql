-- What the history needs: where a run was forked off, what each model used, how long runs are kept, and one request each
-- for a page of the history and for the costs. All functions run with the caller's rights, so that row level security
-- decides what they see.

alter table public.studio_runs
  -- { runId, seq?, callId? }: the run whose recording served the beginning of this one.
  add column forked_from jsonb check (jsonb_typeof(forked_from) = 'object'),
  -- [{ provider, model, calls, inputTokens, outputTokens, costUsd }]; costUsd is null when a price is not known.
  add column usage jsonb check (jsonb_typeof(usage) = 'array' and octet_length(usage::text) <= 262144);

grant update (forked_from, usage) on table public.studio_runs to authenticated;

create index studio_runs_page on public.studio_runs (owner, started_at desc, id desc);
drop index public.studio_runs_of_owner;

-- How long runs are kept -----------------------------------------------------------------------------

-- What a user chose for all their work, one row a setting. "run-retention": { keepDays, keepRuns }, null for no limit.
create table public.studio_settings (
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  value jsonb not null check (octet_length(value::text) <= 65536),
  primary key (owner, name),
  constraint studio_settings_run_retention check (
    name <> 'run-retention'
    or (
      value ?& array['keepDays', 'keepRuns']
      and coalesce((value ->> 'keepDays')::numeric between 1 and 3650, true)
      and coalesce((value ->> 'keepRuns')::numeric between 1 and 1000000, true)
    )
  )
);

alter table public.studio_settings enable row level security;
revoke all on table public.studio_settings from public, anon, authenticated;
grant select, insert, delete on table public.studio_settings to authenticated;
grant update (name, value) on table public.studio_settings to authenticated;
grant all on table public.studio_settings to service_role;

create policy studio_settings_select on public.studio_settings
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_settings_insert on public.studio_settings
  for insert to authenticated with check (owner = (select auth.uid()));
create policy studio_settings_update on public.studio_settings
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_settings_delete on public.studio_settings
  for delete to authenticated using (owner = (select auth.uid()));

-- Deletes the caller's runs beyond the limits, 90 days and 2,000 runs where nothing else was chosen, and gives how many
-- there were. Days count by the server's clock, since a run was last written; a run that may still be going on (running,
-- and written within a day) is kept, and counts.
create function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  keep_days integer := 90;
  keep_runs integer := 2000;
  pruned integer;
begin
  select (settings.value ->> 'keepDays')::integer, (settings.value ->> 'keepRuns')::integer into keep_days, keep_runs
  from public.studio_settings as settings
  where settings.owner = (select auth.uid()) and settings.name = 'run-retention';
  if not found then
    keep_days := 90;
    keep_runs := 2000;
  end if;
  delete from public.studio_runs as runs
  where runs.owner = (select auth.uid())
    and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day')
    and (
      runs.updated_at < now() - make_interval(days => keep_days)
      or (runs.started_at, runs.id) < (
        select last_kept.started_at, last_kept.id from public.studio_runs as last_kept
        where keep_runs is not null and last_kept.owner = (select auth.uid())
        order by last_kept.started_at desc, last_kept.id desc offset coalesce(keep_runs, 1) - 1 limit 1
      )
    );
  get diagnostics pruned = row_count;
  return pruned;
end;
$$;

-- Every start of a run clears what is over, whichever client writes it.
create function public.studio_prune_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null then
    perform public.studio_prune_runs();
  end if;
  return null;
end;
$$;

revoke all on function public.studio_prune_on_start() from public, anon, authenticated;

create trigger studio_runs_prune after insert on public.studio_runs
  for each statement execute function public.studio_prune_on_start();

-- The history ---------------------------------------------------------------------------------------

-- The caller's runs that fit p_filter, newest first, at most p_limit of them, after the one named by p_after. p_filter:
-- { workflowId?, statuses?, text?, from?, to? }; p_after: { startedAt, id } or null. With p_limit null, all ids.
create function public.studio_find_runs(p_filter jsonb, p_limit integer, p_after jsonb)
returns table (
  id uuid, workflow_id uuid, workflow_name text, status text, input jsonb, output jsonb, error jsonb,
  total_tokens integer, cost_usd numeric, started_at timestamptz, ended_at timestamptz, forked_from jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select runs.id, runs.workflow_id, workflows.name, runs.status, runs.input, runs.output, runs.error,
    runs.total_tokens, runs.cost_usd, runs.started_at, runs.ended_at, runs.forked_from
  from public.studio_runs as runs
  join public.studio_workflows as workflows on workflows.id = runs.workflow_id
  where runs.owner = (select auth.uid())
    and (p_filter ->> 'workflowId' is null or runs.workflow_id = (p_filter ->> 'workflowId')::uuid)
    and (p_filter -> 'statuses' is null or (p_filter -> 'statuses') ? runs.status)
    and (p_filter ->> 'from' is null or runs.started_at >= (p_filter ->> 'from')::timestamptz)
    and (p_filter ->> 'to' is null or runs.started_at < (p_filter ->> 'to')::timestamptz)
    -- As the text stands inside JSON: quotes and line breaks escaped, without the quotes around it.
    and (
      p_filter ->> 'text' is null
      or position(lower(substring((p_filter -> 'text')::text from 2 for length((p_filter -> 'text')::text) - 2))
        in lower(runs.input::text)) > 0
    )
    and (
      p_after is null
      or (runs.started_at, runs.id) < ((p_after ->> 'startedAt')::timestamptz, (p_after ->> 'id')::uuid)
    )
  order by runs.started_at desc, runs.id desc
  limit p_limit;
$$;

-- Deletes the caller's runs that fit p_filter and are not running; gives how many there were.
create function public.studio_delete_runs(p_filter jsonb) returns integer
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

-- Costs ---------------------------------------------------------------------------------------------

-- What the caller's runs that began in [p_from, p_to) used, by day of the time zone, workflow and model. The sum of costs
-- leaves out calls without a known price; unpriced_calls says how many there were.
create function public.studio_run_spending(p_from timestamptz, p_to timestamptz, p_time_zone text)
returns table (
  day date, workflow_id uuid, workflow_name text, provider text, model text, calls bigint, unpriced_calls bigint,
  input_tokens bigint, output_tokens bigint, cost_usd numeric
)
language sql stable security invoker set search_path = ''
as $$
  select (runs.started_at at time zone p_time_zone)::date, runs.workflow_id, workflows.name,
    used.value ->> 'provider', used.value ->> 'model',
    sum((used.value ->> 'calls')::bigint)::bigint,
    coalesce(sum((used.value ->> 'calls')::bigint) filter (where used.value ->> 'costUsd' is null), 0)::bigint,
    sum((used.value ->> 'inputTokens')::bigint)::bigint, sum((used.value ->> 'outputTokens')::bigint)::bigint,
    coalesce(sum((used.value ->> 'costUsd')::numeric), 0)
  from public.studio_runs as runs
  join public.studio_workflows as workflows on workflows.id = runs.workflow_id
  cross join lateral jsonb_array_elements(coalesce(runs.usage, '[]'::jsonb)) as used (value)
  where runs.owner = (select auth.uid()) and runs.started_at >= p_from and runs.started_at < p_to
  group by 1, 2, 3, 4, 5
  order by 1, 3, 4, 5;
$$;

-- How many of the caller's runs began in [p_from, p_to), by day of the time zone, workflow and status.
create function public.studio_run_counts(p_from timestamptz, p_to timestamptz, p_time_zone text)
returns table (day date, workflow_id uuid, workflow_name text, status text, runs bigint)
language sql stable security invoker set search_path = ''
as $$
  select (runs.started_at at time zone p_time_zone)::date, runs.workflow_id, workflows.name, runs.status, count(*)
  from public.studio_runs as runs
  join public.studio_workflows as workflows on workflows.id = runs.workflow_id
  where runs.owner = (select auth.uid()) and runs.started_at >= p_from and runs.started_at < p_to
  group by 1, 2, 3, 4
  order by 1, 3, 4;
$$;

revoke all on function public.studio_prune_runs() from public, anon;
revoke all on function public.studio_find_runs(jsonb, integer, jsonb) from public, anon;
revoke all on function public.studio_delete_runs(jsonb) from public, anon;
revoke all on function public.studio_run_spending(timestamptz, timestamptz, text) from public, anon;
revoke all on function public.studio_run_counts(timestamptz, timestamptz, text) from public, anon;
grant execute on function public.studio_prune_runs() to authenticated, service_role;
grant execute on function public.studio_find_runs(jsonb, integer, jsonb) to authenticated, service_role;
grant execute on function public.studio_delete_runs(jsonb) to authenticated, service_role;
grant execute on function public.studio_run_spending(timestamptz, timestamptz, text) to authenticated, service_role;
grant execute on function public.studio_run_counts(timestamptz, timestamptz, text) to authenticated, service_role;
