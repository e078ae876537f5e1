-- As before, but many runs go only when counting them gives the same. A start of a run finds one or none, and so does without
-- the count. Rows that came in beside the triggers, as from a dump of the data alone, would otherwise count twice and
-- cost their owner as many runs.
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
    if beyond > 50 then
      select count(*) - keep_runs into beyond from public.studio_runs as runs
      where runs.owner = caller and runs.is_trial = trials;
    end if;
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
