-- Runs that a test made, told apart from those that a person made.

alter table public.studio_runs add column is_trial boolean not null default false;

-- As before, with `trials` in the filter: true gives the runs of tests only, false all others.
drop function public.studio_find_runs(jsonb, integer, jsonb);

create function public.studio_find_runs(p_filter jsonb, p_limit integer, p_after jsonb)
returns table (
  id uuid, workflow_id uuid, workflow_name text, status text, input jsonb, output jsonb, error jsonb,
  total_tokens integer, cost_usd numeric, started_at timestamptz, ended_at timestamptz, forked_from jsonb,
  ending jsonb, source text, published_version integer, trigger_id uuid, attempt integer, worker text,
  queued_at timestamptz, cancel_requested_at timestamptz, is_trial boolean
)
language sql stable security invoker set search_path = ''
as $$
  select runs.id, runs.workflow_id, workflows.name, runs.status, public.studio_run_input_words(runs.input), null::jsonb,
    runs.error, runs.total_tokens, runs.cost_usd, runs.started_at, runs.ended_at, runs.forked_from,
    runs.ending, runs.source, runs.published_version, runs.trigger_id, runs.attempt, runs.worker,
    runs.queued_at, runs.cancel_requested_at, runs.is_trial
  from public.studio_runs as runs
  join public.studio_workflows as workflows on workflows.id = runs.workflow_id
  where runs.owner = (select auth.uid())
    and (p_filter ->> 'workflowId' is null or runs.workflow_id = (p_filter ->> 'workflowId')::uuid)
    and (p_filter -> 'statuses' is null or (p_filter -> 'statuses') ? runs.status)
    and (p_filter -> 'sources' is null or (p_filter -> 'sources') ? runs.source)
    and (p_filter ->> 'trials' is null or runs.is_trial = (p_filter ->> 'trials')::boolean)
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

revoke all on function public.studio_find_runs(jsonb, integer, jsonb) from public, anon;
grant execute on function public.studio_find_runs(jsonb, integer, jsonb) to authenticated, service_role;

-- As before, but as many runs of tests are kept as of others, so that a long test drives nothing else out.
create or replace function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  keep_runs integer;
  trials boolean;
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
  if keep_runs is not null then
    foreach trials in array array[false, true] loop
      select last_kept.started_at, last_kept.id into last_started, last_id from public.studio_runs as last_kept
      where last_kept.owner = caller and last_kept.is_trial = trials
      order by last_kept.started_at desc, last_kept.id desc offset keep_runs - 1 limit 1;
      if found then
        delete from public.studio_runs as runs
        where runs.owner = caller and (runs.started_at, runs.id) < (last_started, last_id) and runs.is_trial = trials
          and runs.status not in ('queued', 'waiting')
          and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
        get diagnostics deleted = row_count;
        total := total + deleted;
      end if;
    end loop;
  end if;
  return total;
end;
$$;
