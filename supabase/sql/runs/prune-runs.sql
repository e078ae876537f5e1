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
