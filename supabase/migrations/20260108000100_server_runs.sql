-- Runs on workers. A row of studio_runs is the queue, its events are the checkpoint, and a lease says whose it is: one worker
-- at a time writes a run, under the number of its attempt. Whoever lost the lease is fenced off and writes nothing.

alter table public.studio_runs
  -- Who started it: 'editor' runs in a browser, every other one on a worker.
  add column source text not null default 'editor'
    check (source in ('editor', 'manual', 'schedule', 'api', 'webhook', 'chat', 'failure')),
  add column published_version integer,
  add column trigger_id uuid references public.studio_triggers (id) on delete set null,
  -- The same key starts the same run: a time of a schedule, or what a program calls it.
  add column idempotency_key text check (char_length(idempotency_key) between 1 and 255),
  -- How often a worker took it up.
  add column attempt integer not null default 0,
  -- How often a worker went away with it since its log last grew.
  add column lost integer not null default 0,
  add column worker text check (char_length(worker) <= 200),
  add column lease_until timestamptz,
  add column queued_at timestamptz,
  add column cancel_requested_at timestamptz,
  drop constraint studio_runs_status_check,
  add constraint studio_runs_status_check
    check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted'));

create unique index studio_runs_idempotency on public.studio_runs (workflow_id, idempotency_key)
  where idempotency_key is not null;
create index studio_runs_queue on public.studio_runs (queued_at) where status = 'queued';
create index studio_runs_leases on public.studio_runs (lease_until) where status = 'running' and source <> 'editor';
create index studio_runs_of_trigger on public.studio_runs (trigger_id) where trigger_id is not null;

-- Clients write the runs of browsers only; rows of workers they can read, and delete once they have ended.
drop policy studio_runs_insert on public.studio_runs;
create policy studio_runs_insert on public.studio_runs for insert to authenticated with check (
  owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting')
  and published_version is null and trigger_id is null and idempotency_key is null and attempt = 0 and lost = 0
  and worker is null and lease_until is null and queued_at is null and cancel_requested_at is null
);
drop policy studio_runs_update on public.studio_runs;
create policy studio_runs_update on public.studio_runs for update to authenticated
  using (owner = (select auth.uid()) and source = 'editor')
  with check (owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting'));
drop policy studio_runs_delete on public.studio_runs;
create policy studio_runs_delete on public.studio_runs for delete to authenticated using (
  owner = (select auth.uid()) and (source = 'editor' or status not in ('queued', 'running', 'waiting'))
);
drop policy studio_run_events_insert on public.studio_run_events;
create policy studio_run_events_insert on public.studio_run_events for insert to authenticated with check (
  owner = (select auth.uid()) and exists (
    select 1 from public.studio_runs as runs where runs.id = run_id and runs.source = 'editor'
  )
);

-- What a run waits for ------------------------------------------------------------------------------

create table public.studio_run_waits (
  run_id uuid not null,
  -- The tool call, or the place in the run, that goes on with the decision.
  call_id text not null check (char_length(call_id) between 1 and 300),
  owner uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('approval', 'form', 'time')),
  -- What is asked: { nodeId, toolNodeId?, toolName?, input?, preview?, untrusted?, … }.
  question jsonb not null check (jsonb_typeof(question) = 'object' and octet_length(question::text) <= 1048576),
  asked_at timestamptz not null default now(),
  -- When nobody is waited for any longer; for 'time', when it goes on.
  expires_at timestamptz,
  -- What was decided: { approved, input?, reason?, expired? }.
  decision jsonb check (jsonb_typeof(decision) = 'object' and octet_length(decision::text) <= 1048576),
  decided_at timestamptz,
  primary key (run_id, call_id),
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade
);

create index studio_run_waits_open on public.studio_run_waits (owner, asked_at desc) where decision is null;
create index studio_run_waits_expiry on public.studio_run_waits (expires_at) where decision is null;

alter table public.studio_run_waits enable row level security;
revoke all on table public.studio_run_waits from public, anon, authenticated;
grant select on table public.studio_run_waits to authenticated;
grant all on table public.studio_run_waits to service_role;
create policy studio_run_waits_select on public.studio_run_waits
  for select to authenticated using (owner = (select auth.uid()));
select private.studio_count_table('public.studio_run_waits', 'rows',
  'octet_length(item.question::text) + coalesce(octet_length(item.decision::text), 0)');

-- Workers, and what publications have spent ----------------------------------------------------------

create table private.studio_workers (
  id text primary key check (char_length(id) <= 200),
  concurrency integer not null check (concurrency >= 1),
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- By day (UTC), with what calls under way may cost at most.
create table private.studio_spending (
  workflow_id uuid not null references public.studio_workflows (id) on delete cascade,
  day date not null,
  usd numeric not null default 0,
  primary key (workflow_id, day)
);

alter table private.studio_workers enable row level security;
alter table private.studio_spending enable row level security;
revoke all on table private.studio_workers, private.studio_spending from public, anon, authenticated, service_role;

-- What people and doors call -------------------------------------------------------------------------

-- Wakes workers that listen; the embedded database has none, and its workers are told by the studio.
create function private.studio_wake_workers() returns void
language sql volatile set search_path = ''
as $$
  select pg_notify('studio_runs', '');
$$;

-- Queues a run of the version that p_target ('live', 'staging', or a version's number) names, and gives { id, status, created }.
-- The same key of the same workflow gives the run that it started first. Raises "not_published".
create function private.studio_queue_run(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_forked_from jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  wanted integer;
  known record;
  started uuid;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  wanted := case
    when p_target = 'live' then publication.live
    when p_target = 'staging' then publication.staging
    when p_target ~ '^[0-9]{1,9}$' then p_target::integer
  end;
  if wanted is null or not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = wanted
  ) then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  insert into public.studio_runs
    (owner, workflow_id, status, input, source, published_version, trigger_id, idempotency_key, forked_from, queued_at)
  values (
    publication.owner, p_workflow_id, 'queued', jsonb_build_object('value', coalesce(p_input, '{}'::jsonb)), p_source,
    wanted, p_trigger_id, p_key, p_forked_from, now()
  )
  on conflict (workflow_id, idempotency_key) where idempotency_key is not null do nothing
  returning id into started;
  if started is null then
    select runs.id, runs.status into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    return jsonb_build_object('id', known.id, 'status', known.status, 'created', false);
  end if;
  perform private.studio_wake_workers();
  return jsonb_build_object('id', started, 'status', 'queued', 'created', true);
end;
$$;

-- Starts a run of the caller's workflow, named by its id or its slug. Raises "not_published".
create function public.studio_start_run(
  p_workflow text, p_target text, p_input jsonb, p_key text default null, p_forked_from jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  found_id uuid;
begin
  select own.workflow_id into found_id from public.studio_publications as own
  where own.owner = caller and (own.slug = p_workflow or own.workflow_id::text = p_workflow);
  if found_id is null then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  return private.studio_queue_run(found_id, p_target, p_input, 'manual', p_key, null, p_forked_from);
end;
$$;

-- Asks for the end of the caller's run; gives its status. One that no worker has touched ends here and now.
create function public.studio_cancel_run(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller and found.source <> 'editor' for update;
  if not found then
    raise exception 'run_not_found' using errcode = 'P0002';
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as own set
    cancel_requested_at = coalesce(own.cancel_requested_at, now()),
    status = case
      when own.status = 'queued' and own.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when own.status = 'waiting' then 'queued'
      else own.status end,
    queued_at = case when own.status = 'waiting' then now() else own.queued_at end,
    ended_at = case when own.status = 'queued' and own.attempt = 0 then now() end
  where own.id = p_run_id
  returning own.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

-- Decides what the caller's run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired' or 'over'.
create function public.studio_decide_wait(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  wait public.studio_run_waits%rowtype;
  run_status text;
begin
  select runs.status into run_status from public.studio_runs as runs
  where runs.id = p_run_id and runs.owner = caller for update;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.owner = caller
    and found.kind <> 'time' for update;
  if not found then
    raise exception 'wait_not_found' using errcode = 'P0002';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
  end if;
  if run_status not in ('queued', 'running', 'waiting') then
    return 'over';
  end if;
  if wait.expires_at <= now() then
    return 'expired';
  end if;
  update public.studio_run_waits as own set decision = p_decision - 'expired', decided_at = now()
  where own.run_id = p_run_id and own.call_id = p_call_id;
  update public.studio_runs as own set status = 'queued', queued_at = now()
  where own.id = p_run_id and own.status = 'waiting';
  perform private.studio_wake_workers();
  return 'decided';
end;
$$;

-- How many workers have been there in the last half minute, and what is queued, running and waiting for the caller.
create function public.studio_queue_state() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'workers', (select count(*) from private.studio_workers where seen_at > now() - interval '30 seconds'),
      'queued', count(*) filter (where runs.status = 'queued'),
      'running', count(*) filter (where runs.status = 'running'),
      'waiting', count(*) filter (where runs.status = 'waiting')
    )
    from public.studio_runs as runs
    where runs.owner = caller and runs.source <> 'editor' and runs.status in ('queued', 'running', 'waiting')
  );
end;
$$;

-- What workers call -----------------------------------------------------------------------------------

-- Whether one more run of this workflow may go on now. Starts count by the minute; a run that comes back from a wait does not.
create function private.studio_may_run(
  p_owner uuid, p_workflow_id uuid, p_has_begun boolean, p_most_of_owner integer
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  if (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor' and busy.lease_until >= now()
  ) >= p_most_of_owner then
    return false;
  end if;
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if limits -> 'concurrent' is not null and (
    select count(*) from public.studio_runs as busy
    where busy.workflow_id = p_workflow_id and busy.status = 'running' and busy.source <> 'editor'
      and busy.lease_until >= now()
  ) >= (limits ->> 'concurrent')::numeric then
    return false;
  end if;
  return p_has_begun or limits -> 'perMinute' is null or (
    select count(*) from public.studio_runs as recent
    where recent.workflow_id = p_workflow_id and recent.source <> 'editor' and recent.attempt > 0
      and recent.started_at > now() - interval '1 minute'
  ) < (limits ->> 'perMinute')::numeric;
end;
$$;

-- Takes the next run for p_lease_ms, or gives no row. Strict: claims come one after the other, and a run whose workflow or owner
-- has as many running as it may is passed over. A run that p_most_lost workers in a row went away with fails.
create function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer default 10, p_most_lost integer default 5
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
begin
  perform pg_advisory_xact_lock(7423004);
  update public.studio_runs as runs set
    status = 'failed', ended_at = now(), lease_until = null,
    error = jsonb_build_object(
      'code', 'internal', 'retryable', true,
      'message', 'The worker went away ' || runs.lost + 1 || ' times at the same place of this run.',
      'hint', 'Look at the last step that is recorded: it may need more memory than the worker has. Then start the run again.')
  where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 >= p_most_lost;

  -- What another worker went away with comes first.
  select runs.* into claimed
  from public.studio_runs as runs
  where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now()
    and private.studio_may_run(runs.owner, runs.workflow_id, true, p_most_of_owner)
  order by runs.lease_until
  limit 1
  for update skip locked;
  if not found then
    select runs.* into claimed
    from public.studio_runs as runs
    where runs.status = 'queued'
      and private.studio_may_run(runs.owner, runs.workflow_id, runs.attempt > 0, p_most_of_owner)
    order by runs.queued_at
    limit 1
    for update skip locked;
  end if;
  if not found then
    return;
  end if;

  update public.studio_runs as runs set
    status = 'running', worker = p_worker, attempt = runs.attempt + 1,
    lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
    lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
    started_at = case when runs.attempt = 0 then now() else runs.started_at end
  where runs.id = claimed.id
  returning runs.* into claimed;
  return query
    select claimed.id, claimed.owner, claimed.workflow_id, workflows.name, claimed.source, claimed.published_version,
      claimed.attempt, claimed.input -> 'value', claimed.forked_from, claimed.trigger_id, claimed.queued_at,
      claimed.started_at, claimed.cancel_requested_at is not null, publications.limits, versions.document,
      versions.workflows
    from public.studio_workflows as workflows
    join public.studio_publications as publications on publications.workflow_id = workflows.id
    join public.studio_published as versions
      on versions.workflow_id = workflows.id and versions.version = claimed.published_version
    where workflows.id = claimed.workflow_id;
end;
$$;

-- Books what a run has cost so far, calls under way included, and says which cap that passes: 'run', 'day', 'month' or null.
create function private.studio_book_spending(p_run_id uuid, p_usd numeric) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  booked record;
  today constant date := (now() at time zone 'utc')::date;
  of_day numeric;
  of_month numeric;
begin
  select runs.workflow_id, coalesce(runs.cost_usd, 0) as usd, publications.limits into booked
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
  if booked.limits ?| array['dayUsd', 'monthUsd'] then
    select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
    into of_day, of_month
    from private.studio_spending as spending
    where spending.workflow_id = booked.workflow_id and spending.day >= date_trunc('month', today)::date;
    if of_day > (booked.limits ->> 'dayUsd')::numeric then
      return 'day';
    end if;
    if of_month > (booked.limits ->> 'monthUsd')::numeric then
      return 'month';
    end if;
  end if;
  return null;
end;
$$;

-- Stores what a worker has recorded and renews its lease: { state: 'ok' | 'cancelled' | 'fenced', cap? }. `fenced`: another
-- attempt has the run, or it is gone; nothing was stored. p_usd null leaves the spending as it is.
create function private.studio_append_run_events(
  p_run_id uuid, p_attempt integer, p_events jsonb, p_lease_ms integer, p_usd numeric default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  cap text;
begin
  update public.studio_runs as runs set
    lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
    lost = case when jsonb_array_length(p_events) > 0 then 0 else runs.lost end
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source <> 'editor'
  returning runs.owner, runs.cancel_requested_at into run;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  insert into public.studio_run_events (run_id, seq, owner, at, type, event)
  select p_run_id, (one ->> 'seq')::integer, run.owner, to_timestamp((one ->> 'at')::numeric / 1000), one ->> 'type', one
  from jsonb_array_elements(p_events) as one
  -- An answer that got lost: the same attempt writes the same again.
  on conflict (run_id, seq) do nothing;
  if p_usd is not null then
    cap := private.studio_book_spending(p_run_id, p_usd);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'state', case when run.cancel_requested_at is null then 'ok' else 'cancelled' end, 'cap', cap));
end;
$$;

-- Stores the last events of a run and its end, both or neither; 'ok' or 'fenced'.
-- p_end: { status, output, error, ending, totalTokens, costUsd, usage }.
create function private.studio_finish_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_end jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  if private.studio_append_run_events(
    p_run_id, p_attempt, p_events, 60000, (p_end ->> 'costUsd')::numeric
  ) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  update public.studio_runs as runs set
    status = p_end ->> 'status',
    output = jsonb_build_object('value', p_end -> 'output'),
    error = nullif(p_end -> 'error', 'null'::jsonb),
    ending = nullif(p_end -> 'ending', 'null'::jsonb),
    total_tokens = (p_end ->> 'totalTokens')::integer,
    cost_usd = (p_end ->> 'costUsd')::numeric,
    usage = nullif(p_end -> 'usage', 'null'::jsonb),
    ended_at = now(), lease_until = null
  where runs.id = p_run_id;
  return 'ok';
end;
$$;

-- Asks what a run waits for, while it goes on or before it stops to wait. Asking again changes nothing.
create function private.studio_ask(
  p_run_id uuid, p_attempt integer, p_call_id text, p_kind text, p_question jsonb, p_expires_at timestamptz
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner uuid;
begin
  select runs.owner into run_owner from public.studio_runs as runs
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running';
  if not found then
    return 'fenced';
  end if;
  insert into public.studio_run_waits (run_id, call_id, owner, kind, question, expires_at)
  values (p_run_id, p_call_id, run_owner, p_kind, p_question, p_expires_at)
  on conflict (run_id, call_id) do nothing;
  return 'ok';
end;
$$;

-- Gives a run back. 'waiting': it goes on once something it waits for is decided, at once where that has happened already.
-- 'queued': the worker stops, and another one goes on. Gives the status, or 'fenced'.
create function private.studio_release_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_status text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  next_status text := p_status;
begin
  if p_status not in ('waiting', 'queued') then
    raise exception 'unknown_status' using errcode = '22023';
  end if;
  if private.studio_append_run_events(p_run_id, p_attempt, p_events, 60000) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  perform 1 from public.studio_runs as runs where runs.id = p_run_id for update;
  -- Decided since this attempt began, and not yet told in the log; or cancelled meanwhile.
  if p_status = 'waiting' and exists (
    select 1 from public.studio_runs as runs
    where runs.id = p_run_id and (
      runs.cancel_requested_at is not null
      or exists (
        select 1 from public.studio_run_waits as waits
        where waits.run_id = p_run_id and waits.decision is not null
          and not exists (
            select 1 from public.studio_run_events as events
            where events.run_id = p_run_id and events.type in ('approval-end', 'wait-end')
              and events.event ->> 'callId' = waits.call_id
          )
      )
    )
  ) then
    next_status := 'queued';
  end if;
  update public.studio_runs as runs set status = next_status, lease_until = null, queued_at = now(), worker = null
  where runs.id = p_run_id;
  return next_status;
end;
$$;

-- Says that a worker is there and renews its leases. p_runs: [{ id, attempt }]. Gives, by run id, what is new for it:
-- { fenced: [id], cancelled: [id], decided: [{ runId, callId, decision }] }.
create function private.studio_beat(p_worker text, p_concurrency integer, p_runs jsonb, p_lease_ms integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  mine jsonb;
begin
  insert into private.studio_workers as workers (id, concurrency) values (p_worker, p_concurrency)
  on conflict (id) do update set seen_at = now(), concurrency = excluded.concurrency;
  with held as (
    select (one ->> 'id')::uuid as id, (one ->> 'attempt')::integer as attempt
    from jsonb_array_elements(p_runs) as one
  ), renewed as (
    update public.studio_runs as runs set
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from held
    where runs.id = held.id and runs.attempt = held.attempt and runs.status = 'running' and runs.source <> 'editor'
    returning runs.id, runs.cancel_requested_at
  )
  select jsonb_build_object(
    'fenced', (
      select coalesce(jsonb_agg(held.id), '[]') from held
      where held.id not in (select renewed.id from renewed)
    ),
    'cancelled', (
      select coalesce(jsonb_agg(renewed.id), '[]') from renewed where renewed.cancel_requested_at is not null
    ),
    'decided', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'runId', waits.run_id, 'callId', waits.call_id, 'decision', waits.decision)), '[]')
      from renewed join public.studio_run_waits as waits on waits.run_id = renewed.id
      where waits.decision is not null
    )
  ) into mine;
  return mine;
end;
$$;

-- Ends waits whose time is over, lets their runs go on, and forgets workers that are gone. Gives how many waits there were.
create function private.studio_expire_waits() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  expired integer;
begin
  with over as (
    update public.studio_run_waits as waits set
      decided_at = now(),
      decision = case when waits.kind = 'time' then '{"approved": true}'::jsonb
        else '{"approved": false, "expired": true, "reason": "Nobody answered in time."}'::jsonb end
    where waits.decision is null and waits.expires_at <= now()
    returning waits.run_id
  ), woken as (
    update public.studio_runs as runs set status = 'queued', queued_at = now()
    from over
    where runs.id = over.run_id and runs.status = 'waiting'
  )
  select count(*) into expired from over;
  delete from private.studio_workers as workers where workers.seen_at < now() - interval '1 day';
  if expired > 0 then
    perform private.studio_wake_workers();
  end if;
  return expired;
end;
$$;

-- Lets other workers have at once what a worker held that is known to be gone. Gives how many runs there were.
create function private.studio_drop_worker(p_worker text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dropped integer;
begin
  update public.studio_runs as runs set lease_until = now() - interval '1 millisecond'
  where runs.worker = p_worker and runs.status = 'running' and runs.source <> 'editor';
  get diagnostics dropped = row_count;
  delete from private.studio_workers as workers where workers.id = p_worker;
  if dropped > 0 then
    perform private.studio_wake_workers();
  end if;
  return dropped;
end;
$$;

-- Triggers that are due or whose next time is not known yet, locked for the caller's transaction.
create function private.studio_due_triggers(p_limit integer) returns setof public.studio_triggers
language sql volatile security definer set search_path = ''
as $$
  select triggers.* from public.studio_triggers as triggers
  where triggers.enabled and triggers.problem is null and (triggers.next_at is null or triggers.next_at <= now())
  order by triggers.next_at nulls first
  limit p_limit
  for update skip locked;
$$;

-- Starts the run of one time of a trigger (p_slot null: none) and says when the next is. The time is the run's key, so that it
-- starts once, however many workers there are. p_problem: why the trigger cannot run, in words.
create function private.studio_fire_trigger(
  p_trigger_id uuid, p_slot timestamptz, p_next_at timestamptz, p_problem text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  due public.studio_triggers%rowtype;
  started jsonb;
begin
  update public.studio_triggers as triggers set
    next_at = p_next_at, problem = p_problem, last_at = coalesce(p_slot, triggers.last_at)
  where triggers.id = p_trigger_id
  returning * into due;
  if not found or p_slot is null then
    return null;
  end if;
  started := private.studio_queue_run(
    due.workflow_id, 'live',
    due.input || jsonb_build_object('scheduledAt', to_char(p_slot at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
    'schedule', 'schedule ' || due.node_id || ' ' || extract(epoch from p_slot)::bigint, due.id, null);
  return (started ->> 'id')::uuid;
end;
$$;

-- A role for workers on other machines: it can do what workers do, and nothing else. An operator gives it a password.
do $$
begin
  if not exists (select from pg_roles where rolname = 'studio_worker') then
    create role studio_worker nologin noinherit;
  end if;
end;
$$;
grant usage on schema private to studio_worker;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_start_run(text, text, jsonb, text, jsonb)',
    'studio_cancel_run(uuid)',
    'studio_decide_wait(uuid, text, jsonb)',
    'studio_queue_state()'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_wake_workers()',
    'studio_queue_run(uuid, text, jsonb, text, text, uuid, jsonb)',
    'studio_book_spending(uuid, numeric)',
    'studio_may_run(uuid, uuid, boolean, integer)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_claim_run(text, integer, integer, integer)',
    'studio_append_run_events(uuid, integer, jsonb, integer, numeric)',
    'studio_finish_run(uuid, integer, jsonb, jsonb)',
    'studio_ask(uuid, integer, text, text, jsonb, timestamptz)',
    'studio_release_run(uuid, integer, jsonb, text)',
    'studio_beat(text, integer, jsonb, integer)',
    'studio_expire_waits()',
    'studio_drop_worker(text)',
    'studio_due_triggers(integer)',
    'studio_fire_trigger(uuid, timestamptz, timestamptz, text)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
    execute format('grant execute on function private.%s to studio_worker', signature);
  end loop;
end;
$$;
