-- Nobody has to look whether published workflows run: another workflow is started when a run fails, a schedule cannot go on, or
-- a cap is near. And what is kept for a time only is deleted also where nobody starts a run in a browser.

alter table public.studio_publications
  -- Why the workflow that should be told of failures could not be started; null when it could.
  add column on_failure_problem text check (char_length(on_failure_problem) <= 1000);

-- Starts the workflow that p_workflow_id names for failures, with what happened; once for each p_key. It never raises: what it
-- is told of has happened already. Failures of runs that were started by a failure tell nobody, or two workflows could go on
-- telling each other.
create function private.studio_tell_failure(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  told public.studio_publications%rowtype;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found or publication.on_failure ->> 'workflowId' is null then
    return;
  end if;
  select * into told from public.studio_publications as found
  where found.workflow_id::text = publication.on_failure ->> 'workflowId' and found.owner = publication.owner;
  if not found or told.live is null then
    update public.studio_publications as own set
      on_failure_problem = 'The workflow that is told of failures has no live version. Publish it, or choose another.'
    where own.workflow_id = p_workflow_id;
    return;
  end if;
  perform private.studio_queue_run(
    told.workflow_id, 'live',
    p_what || jsonb_build_object('workflow', jsonb_build_object('id', p_workflow_id, 'slug', publication.slug)),
    'failure', p_key, null, null);
  update public.studio_publications as own set on_failure_problem = null
  where own.workflow_id = p_workflow_id and own.on_failure_problem is not null;
exception when others then
  raise warning 'A failure was not told: %', sqlerrm;
end;
$$;

create function private.studio_tell_of_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(new.workflow_id, 'failed ' || new.id, jsonb_build_object(
    'kind', 'run-failed',
    'message', coalesce(new.error ->> 'message', 'The run failed.'),
    'run', jsonb_build_object('id', new.id, 'source', new.source, 'version', new.published_version, 'error', new.error)));
  return null;
end;
$$;

create trigger studio_runs_tell_failure after update of status on public.studio_runs
  for each row when (
    new.status = 'failed' and old.status is distinct from new.status and new.source not in ('editor', 'failure')
  )
  execute function private.studio_tell_of_run();

create function private.studio_tell_of_trigger() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(
    new.workflow_id, left('trigger ' || new.id || ' ' || md5(new.problem), 255), jsonb_build_object(
      'kind', 'trigger-stopped', 'message', new.problem,
      'trigger', jsonb_build_object('id', new.id, 'nodeId', new.node_id, 'cron', new.cron)));
  return null;
end;
$$;

create trigger studio_triggers_tell_problem after update of problem on public.studio_triggers
  for each row when (new.problem is not null and old.problem is distinct from new.problem)
  execute function private.studio_tell_of_trigger();

-- As before, and tells once a day and once a month that four fifths of a cap are spent.
create or replace function private.studio_book_spending(p_run_id uuid, p_usd numeric) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  booked record;
  today constant date := (now() at time zone 'utc')::date;
  of_day numeric;
  of_month numeric;
begin
  select runs.workflow_id, runs.source, coalesce(runs.cost_usd, 0) as usd, publications.limits into booked
  from public.studio_runs as runs
  join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
  where runs.id = p_run_id;
  if not found then
    return null;
  end if;
  if p_usd <> booked.usd then
    update public.studio_runs as runs set cost_usd = p_usd where runs.id = p_run_id;
    insert into private.studio_spending as spending (workflow_id, day, usd)
    values (booked.workflow_id, today, p_usd - booked.usd)
    on conflict (workflow_id, day) do update set usd = spending.usd + excluded.usd;
  end if;
  if p_usd > (booked.limits ->> 'runUsd')::numeric then
    return 'run';
  end if;
  if not booked.limits ?| array['dayUsd', 'monthUsd'] then
    return null;
  end if;
  select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
  into of_day, of_month
  from private.studio_spending as spending
  where spending.workflow_id = booked.workflow_id and spending.day >= date_trunc('month', today)::date;
  if booked.source <> 'failure' and of_day >= 0.8 * (booked.limits ->> 'dayUsd')::numeric then
    perform private.studio_tell_failure(booked.workflow_id, 'cap day ' || today, jsonb_build_object(
      'kind', 'cap-near', 'message', 'Four fifths of what the workflow may spend in a day are spent.',
      'spentUsd', of_day, 'capUsd', booked.limits -> 'dayUsd'));
  end if;
  if booked.source <> 'failure' and of_month >= 0.8 * (booked.limits ->> 'monthUsd')::numeric then
    perform private.studio_tell_failure(booked.workflow_id, 'cap month ' || to_char(today, 'YYYY-MM'), jsonb_build_object(
      'kind', 'cap-near', 'message', 'Four fifths of what the workflow may spend in a month are spent.',
      'spentUsd', of_month, 'capUsd', booked.limits -> 'monthUsd'));
  end if;
  if of_day > (booked.limits ->> 'dayUsd')::numeric then
    return 'day';
  end if;
  if of_month > (booked.limits ->> 'monthUsd')::numeric then
    return 'month';
  end if;
  return null;
end;
$$;

-- Retention ------------------------------------------------------------------------------------------

-- As before, and spares runs that wait for a worker or for a person, however long.
create or replace function public.studio_prune_runs() returns integer
language plpgsql security invoker set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  keep_days integer;
  keep_runs integer;
  last_started timestamptz;
  last_id uuid;
  too_old integer := 0;
  too_many integer := 0;
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
    get diagnostics too_old = row_count;
  end if;
  if keep_runs is not null then
    select last_kept.started_at, last_kept.id into last_started, last_id from public.studio_runs as last_kept
    where last_kept.owner = caller
    order by last_kept.started_at desc, last_kept.id desc offset keep_runs - 1 limit 1;
    if found then
      delete from public.studio_runs as runs
      where runs.owner = caller and (runs.started_at, runs.id) < (last_started, last_id)
        and runs.status not in ('queued', 'waiting')
        and (runs.status <> 'running' or runs.updated_at < now() - interval '1 day');
      get diagnostics too_many = row_count;
    end if;
  end if;
  return too_old + too_many;
end;
$$;

create table private.studio_pruned (
  owner uuid primary key references auth.users (id) on delete cascade,
  at timestamptz not null default now()
);
alter table private.studio_pruned enable row level security;
revoke all on table private.studio_pruned from public, anon, authenticated, service_role;

-- Deletes what is kept no longer, of one owner whose turn has not come for a day; with their own settings, as them. Gives the
-- owner, or null when nobody's turn has come.
create function private.studio_prune_next_owner() returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  next_owner uuid;
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
begin
  select users.id into next_owner
  from auth.users as users
  left join private.studio_pruned as pruned on pruned.owner = users.id
  where pruned.at is null or pruned.at < now() - interval '1 day'
  order by pruned.at nulls first limit 1;
  if next_owner is null then
    return null;
  end if;
  insert into private.studio_pruned (owner) values (next_owner) on conflict (owner) do update set at = now();
  perform set_config('request.jwt.claims', jsonb_build_object('sub', next_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', next_owner::text, true);
  perform public.studio_prune_runs();
  perform public.studio_prune_conversations();
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  return next_owner;
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_tell_failure(uuid, text, jsonb)', 'studio_tell_of_run()', 'studio_tell_of_trigger()',
    'studio_book_spending(uuid, numeric)', 'studio_prune_next_owner()'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  grant execute on function private.studio_prune_next_owner() to studio_worker;
end;
$$;
