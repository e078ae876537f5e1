-- One owner's trouble is his own. What the studio does by itself (a chore) is done owner by owner: each in a transaction of its own
-- and with limits of time. One that fails is set aside for a while, the reason is stored where the owner sees it, and the others are
-- served. The list of chores is in worker/chores.ts.

-- Quotas ---------------------------------------------------------------------------------------------

-- As before, and refuses nothing while studio.moves_on is 'yes'.
create or replace function private.studio_add_usage(
  p_owner uuid, p_rows bigint, p_bytes bigint, p_events bigint, p_documents bigint, p_uploads bigint
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  total private.studio_usage%rowtype;
  over record;
begin
  update private.studio_usage as usage set
    rows = greatest(0, usage.rows + p_rows),
    bytes = greatest(0, usage.bytes + p_bytes),
    events = greatest(0, usage.events + p_events),
    documents = greatest(0, usage.documents + p_documents),
    uploads = greatest(0, usage.uploads + p_uploads)
  where usage.owner = p_owner
  returning * into total;
  if not found then
    -- Of an account that is being deleted nothing is counted any more.
    if p_bytes <= 0 then
      return;
    end if;
    insert into private.studio_usage as usage (owner, rows, bytes, events, documents, uploads)
    values (p_owner, p_rows, p_bytes, p_events, p_documents, p_uploads)
    on conflict (owner) do update set
      rows = usage.rows + excluded.rows,
      bytes = usage.bytes + excluded.bytes,
      events = usage.events + excluded.events,
      documents = usage.documents + excluded.documents,
      uploads = usage.uploads + excluded.uploads
    returning * into total;
  end if;
  if greatest(p_rows, p_bytes, p_events, p_documents, p_uploads) <= 0
    or current_setting('studio.moves_on', true) = 'yes' then
    return;
  end if;
  select grown.kind, grown.used, quotas.most into over
  from (values
    ('rows', p_rows, total.rows), ('bytes', p_bytes, total.bytes), ('events', p_events, total.events),
    ('documents', p_documents, total.documents), ('uploads', p_uploads, total.uploads)
  ) as grown (kind, growth, used)
  join private.studio_quotas as quotas on quotas.kind = grown.kind
  where grown.growth > 0 and grown.used > quotas.most
  limit 1;
  if found then
    raise exception 'quota_exceeded % % %', over.kind, over.used, over.most;
  end if;
end;
$$;

-- As before. A change to what only functions write (runs on workers, what they wait for, schedules, publications) is counted and
-- never refused: that is how things move on, end, and say why. New rows are refused as before.
create or replace function private.studio_count_usage() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  counts constant text := tg_argv[0];
  source text;
  change record;
  moves_on boolean := false;
begin
  if current_setting('studio.deletes_account', true) = 'yes' then
    return null;
  end if;
  if tg_op <> 'DELETE' then
    source := private.studio_usage_query('added', 1, tg_argv[1], tg_argv[2]);
  end if;
  if tg_op <> 'INSERT' then
    source := concat_ws(' union all ', source, private.studio_usage_query('removed', -1, tg_argv[1], tg_argv[2]));
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'studio_runs' then
    execute 'select not exists (select from added where added.source = ''editor'')' into moves_on;
  elsif tg_op = 'UPDATE' then
    moves_on := tg_table_name in ('studio_run_waits', 'studio_triggers', 'studio_publications');
  end if;
  if moves_on then
    perform set_config('studio.moves_on', 'yes', true);
  end if;
  for change in execute format(
    'select owner, sum(items)::bigint as items, sum(bytes)::bigint as bytes, sum(uploads)::bigint as uploads
     from (%s) as one group by owner', source)
  loop
    continue when change.items = 0 and change.bytes = 0 and change.uploads = 0;
    perform private.studio_add_usage(
      change.owner,
      case when counts in ('rows', 'documents') then change.items else 0 end,
      change.bytes,
      case when counts = 'events' then change.items else 0 end,
      case when counts = 'documents' then change.items else 0 end,
      change.uploads);
  end loop;
  if moves_on then
    perform set_config('studio.moves_on', '', true);
  end if;
  return null;
end;
$$;

-- What could not be done for an owner -----------------------------------------------------------------

create table private.studio_chore_problems (
  owner uuid not null references auth.users (id) on delete cascade,
  chore text not null check (char_length(chore) between 1 and 50),
  -- Why, in words.
  problem text not null check (char_length(problem) <= 1000),
  failures integer not null default 1,
  since timestamptz not null default now(),
  last_at timestamptz not null default now(),
  -- The owner's turn does not come before this time.
  next_at timestamptz not null,
  -- A statement took too long, which costs everybody time: no chore is done for the owner before next_at.
  too_long boolean not null default false,
  primary key (owner, chore)
);
alter table private.studio_chore_problems enable row level security;
revoke all on table private.studio_chore_problems from public, anon, authenticated, service_role;

-- Why the latest run of a schedule could not be started, in words, and the time that it was for; null once one was. The schedule
-- itself goes on.
alter table public.studio_triggers
  add column start_problem text check (char_length(start_problem) <= 1000),
  add column refused_at timestamptz;

-- An error of the database in words for the owner. p_code: its SQLSTATE; null for a message that can be shown as it is.
create function private.studio_reason(p_code text, p_message text) returns text
language sql immutable set search_path = ''
as $$
  select left(case
    when p_message like 'quota_exceeded %' then
      case split_part(p_message, ' ', 2)
        when 'bytes' then 'The storage of this account is full.'
        when 'rows' then 'This account has reached its limit of entries.'
        when 'events' then 'This account has reached its limit of stored steps of runs.'
        when 'documents' then 'This account has reached its limit of documents.'
        when 'uploads' then 'This account has reached its limit of uploaded documents.'
        else 'This account has reached one of its limits.' end || ' Make room in Settings → Storage.'
    when p_message = 'not_published' then 'The workflow has no live version.'
    when p_code = '55P03' then 'Another session had locked the data.'
    when p_code = '57014' then 'It took too long and was stopped.'
    when p_code is null then p_message
    else 'The database refused it: ' || p_message end, 1000);
$$;

-- As before, and the webhook is told whether or not the workflow could be started; why not is stored.
create or replace function private.studio_tell_failure(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  told public.studio_publications%rowtype;
  what jsonb;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return;
  end if;
  what := p_what || jsonb_build_object('workflow', jsonb_build_object('id', p_workflow_id, 'slug', publication.slug));
  if publication.on_failure ->> 'url' is not null then
    insert into private.studio_notices (owner, workflow_id, key, url, body)
    values (publication.owner, p_workflow_id, p_key, publication.on_failure ->> 'url', what)
    on conflict (workflow_id, key) do nothing;
  end if;
  if publication.on_failure ->> 'workflowId' is null then
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
  begin
    perform private.studio_queue_run(told.workflow_id, 'live', what, 'failure', p_key, null, null);
    update public.studio_publications as own set on_failure_problem = null
    where own.workflow_id = p_workflow_id and own.on_failure_problem is not null;
  exception when others then
    update public.studio_publications as own set
      on_failure_problem = left(
        'The workflow that is told of failures could not be started: ' || private.studio_reason(sqlstate, sqlerrm), 1000)
    where own.workflow_id = p_workflow_id;
  end;
exception when others then
  raise warning 'A failure was not told: %', sqlerrm;
end;
$$;

-- Stores why a chore could not be done for an owner, sets it aside for him, longer with each failure in a row, and tells him once.
create function private.studio_note_chore(p_chore text, p_owner uuid, p_code text, p_message text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  reason constant text := private.studio_reason(p_code, p_message);
  noted private.studio_chore_problems%rowtype;
  before bigint;
  later timestamptz;
  told record;
begin
  perform set_config('lock_timeout', '1s', true);
  if not exists (select from auth.users as users where users.id = p_owner) then
    return;
  end if;
  select coalesce(sum(problems.failures), 0) into before from private.studio_chore_problems as problems
  where problems.owner = p_owner and (problems.chore = p_chore or (problems.too_long and p_code = '57014'));
  later := now() + least(
    case when p_code = '57014' then interval '1 minute' else interval '15 seconds' end * (2 ^ least(before, 10)),
    interval '15 minutes');
  insert into private.studio_chore_problems as problems (owner, chore, problem, next_at, too_long)
  values (p_owner, p_chore, reason, later, p_code is not distinct from '57014')
  on conflict (owner, chore) do update set
    problem = excluded.problem, failures = problems.failures + 1, last_at = now(), next_at = later,
    too_long = excluded.too_long
  returning * into noted;
  if noted.failures > 1 or exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return;
  end if;
  -- Whoever the owner's publications tell of failures.
  for told in
    select distinct on (own.on_failure) own.workflow_id from public.studio_publications as own
    where own.owner = p_owner and own.on_failure is not null
    order by own.on_failure, own.workflow_id
  loop
    perform private.studio_tell_failure(
      told.workflow_id, 'chore ' || p_chore || ' ' || extract(epoch from noted.since)::bigint,
      jsonb_build_object('kind', 'chore-failed', 'chore', p_chore, 'message', reason));
  end loop;
exception when others then
  raise warning 'A problem was not noted: %', sqlerrm;
end;
$$;

-- Whether a chore is not done for an owner for now.
create function private.studio_is_set_aside(p_chore text, p_owner uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.studio_chore_problems as problems
    where problems.owner = p_owner and (problems.chore = p_chore or problems.too_long) and problems.next_at > now()
  );
$$;

-- Says that a chore was done for an owner after it had failed.
create function private.studio_end_chore(p_chore text, p_owner uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_chore_problems as problems where problems.owner = p_owner and problems.chore = p_chore;
$$;

-- What could not be done for the caller, and is tried again: { chore, problem, since, failures }.
create function public.studio_chore_problems() returns table (chore text, problem text, since timestamptz, failures integer)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select problems.chore, problems.problem, problems.since, problems.failures
    from private.studio_chore_problems as problems
    -- One whose cause has gone with its data is tried no more.
    where problems.owner = caller and problems.last_at > now() - interval '1 day'
    order by problems.chore;
end;
$$;

-- Whose turn it is ------------------------------------------------------------------------------------

-- Owners for whom a chore is due, in the order of their ids, from p_after on; `failing`: it has failed for them the last time.
-- Owners who are set aside are left out.
create function private.studio_due_owners(p_chore text, p_after uuid, p_limit integer)
returns table (owner uuid, failing boolean)
language sql stable security definer set search_path = ''
as $$
  select due.owner, problems.owner is not null
  from (
    select triggers.owner from public.studio_triggers as triggers
    where p_chore = 'schedules' and triggers.enabled and triggers.problem is null
      and (triggers.next_at is null or triggers.next_at <= now())
    union
    select waits.owner from public.studio_run_waits as waits
    where p_chore = 'waits' and waits.decision is null and waits.expires_at <= now()
    union
    select runs.owner from public.studio_runs as runs
    where p_chore in ('claims', 'lost-runs') and runs.status = 'running' and runs.source <> 'editor'
      and runs.lease_until < now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'claims' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select deletions.owner from private.studio_deletions as deletions where p_chore = 'deletions'
  ) as due
  left join private.studio_chore_problems as problems on problems.owner = due.owner and problems.chore = p_chore
  where (p_after is null or due.owner > p_after) and not private.studio_is_set_aside(p_chore, due.owner)
    and (p_chore = 'deletions'
      or not exists (select from private.studio_deletions as deletions where deletions.owner = due.owner))
  order by due.owner
  limit p_limit;
$$;

-- For the rest of the transaction nobody is waited for longer than a second.
create function private.studio_limit_waiting() returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('lock_timeout', '1s', true);
end;
$$;

-- Schedules -------------------------------------------------------------------------------------------

drop function private.studio_due_triggers(integer);

-- The triggers of an owner that are due or whose next time is not known yet.
create function private.studio_due_triggers(p_owner uuid, p_limit integer) returns setof public.studio_triggers
language sql stable security definer set search_path = ''
as $$
  select triggers.* from public.studio_triggers as triggers
  where triggers.owner = p_owner and triggers.enabled and triggers.problem is null
    and (triggers.next_at is null or triggers.next_at <= now())
  order by triggers.next_at nulls first
  limit p_limit;
$$;

-- As before, but a run that is refused stops nothing: the reason is stored and told once, and the next time comes. What may pass
-- by itself, as a lock of somebody else, is raised: the time stays due.
create or replace function private.studio_fire_trigger(
  p_trigger_id uuid, p_slot timestamptz, p_next_at timestamptz, p_problem text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  due public.studio_triggers%rowtype;
  started jsonb;
  reason text;
begin
  perform private.studio_limit_waiting();
  update public.studio_triggers as triggers set
    skipped_at = case
      when p_slot is null and p_problem is null and triggers.next_at <= now() then triggers.next_at
      else triggers.skipped_at
    end,
    next_at = p_next_at, problem = p_problem
  where triggers.id = p_trigger_id
  returning * into due;
  if not found or p_slot is null then
    return null;
  end if;
  begin
    started := private.studio_queue_run(
      due.workflow_id, 'live',
      due.input || jsonb_build_object('scheduledAt', to_char(p_slot at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
      'schedule', 'schedule ' || due.node_id || ' ' || extract(epoch from p_slot)::bigint, due.id, null);
  exception
    when lock_not_available or deadlock_detected or serialization_failure then
      raise;
    when others then
      reason := private.studio_reason(sqlstate, sqlerrm);
  end;
  update public.studio_triggers as triggers set
    last_at = case when reason is null then p_slot else triggers.last_at end,
    start_problem = reason,
    refused_at = case when reason is null then null else p_slot end
  where triggers.id = p_trigger_id;
  if reason is not null and due.start_problem is distinct from reason then
    perform private.studio_tell_failure(
      due.workflow_id, 'start ' || due.id || ' ' || extract(epoch from p_slot)::bigint, jsonb_build_object(
        'kind', 'run-not-started', 'message', reason,
        'trigger', jsonb_build_object('id', due.id, 'nodeId', due.node_id, 'cron', due.cron)));
  end if;
  return (started ->> 'id')::uuid;
end;
$$;

-- As before, with why the latest run could not be started.
drop function public.studio_schedules(uuid);
create function public.studio_schedules(p_workflow_id uuid) returns table (
  id uuid, node_id text, cron text, time_zone text, missed text, enabled boolean, next_at timestamptz, last_at timestamptz,
  skipped_at timestamptz, problem text, start_problem text, refused_at timestamptz, last_run jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select triggers.id, triggers.node_id, triggers.cron, triggers.time_zone, triggers.missed, triggers.enabled,
    triggers.next_at, triggers.last_at, triggers.skipped_at, triggers.problem, triggers.start_problem, triggers.refused_at,
    last.run
  from public.studio_triggers as triggers
  left join lateral (
    select jsonb_build_object(
      'id', runs.id, 'status', runs.status, 'ending', runs.ending, 'startedAt', runs.started_at,
      'error', runs.error ->> 'message'
    ) as run
    from public.studio_runs as runs
    where runs.trigger_id = triggers.id and runs.owner = (select auth.uid())
    order by runs.started_at desc limit 1
  ) as last on true
  where triggers.workflow_id = p_workflow_id and triggers.owner = (select auth.uid())
  order by triggers.node_id;
$$;

-- Waits -----------------------------------------------------------------------------------------------

drop function private.studio_expire_waits();

-- Ends waits of an owner whose time is over, 200 at most, and lets their runs go on. Gives how many there were.
create function private.studio_expire_waits(p_owner uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  expired integer;
begin
  perform private.studio_limit_waiting();
  with due as (
    select waits.run_id, waits.call_id from public.studio_run_waits as waits
    where waits.owner = p_owner and waits.decision is null and waits.expires_at <= now()
    order by waits.expires_at
    limit 200
    for update skip locked
  ), over as (
    update public.studio_run_waits as waits set
      decided_at = now(),
      decision = case when waits.kind = 'time' then '{"approved": true}'::jsonb
        else '{"approved": false, "expired": true, "reason": "Nobody answered in time."}'::jsonb end
    from due
    where waits.run_id = due.run_id and waits.call_id = due.call_id
    returning waits.run_id
  ), woken as (
    update public.studio_runs as runs set status = 'queued', queued_at = now()
    from over
    where runs.id = over.run_id and runs.status = 'waiting'
  )
  select count(*) into expired from over;
  if expired > 0 then
    perform private.studio_wake_workers();
  end if;
  return expired;
end;
$$;

-- Workers that are gone are forgotten when another one comes.
create function private.studio_forget_workers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_workers as workers where workers.seen_at < now() - interval '1 day';
  return null;
end;
$$;
create trigger studio_workers_forget after insert on private.studio_workers
  for each row execute function private.studio_forget_workers();

-- Runs ------------------------------------------------------------------------------------------------

-- Ends runs of an owner that p_most_lost workers in a row went away with, 50 at most. Gives how many there were.
create function private.studio_fail_lost_runs(p_owner uuid, p_most_lost integer default 5) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  failed integer;
begin
  perform private.studio_limit_waiting();
  update public.studio_runs as runs set
    status = 'failed', ended_at = now(), lease_until = null,
    error = jsonb_build_object(
      'code', 'internal', 'retryable', true,
      'message', 'The worker went away ' || runs.lost + 1 || ' times at the same place of this run.',
      'hint', 'Look at the last step that is recorded: it may need more memory than the worker has. Then start the run again.')
  where runs.id in (
    select lost.id from public.studio_runs as lost
    where lost.owner = p_owner and lost.status = 'running' and lost.source <> 'editor' and lost.lease_until < now()
      and lost.lost + 1 >= p_most_lost
    order by lost.lease_until
    limit 50
    for update skip locked
  );
  get diagnostics failed = row_count;
  return failed;
end;
$$;

drop function private.studio_claim_run(text, integer, integer, integer);

-- Takes the next run for p_lease_ms, or gives no row: of p_owner, or of anybody. Strict: claims of one owner come one after the
-- other, and a run whose workflow or owner has as many running as it may is passed over. An owner whose run cannot be taken is set
-- aside, and the next one is served.
create function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer default 10, p_most_lost integer default 5,
  p_owner uuid default null
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
  candidate uuid;
  -- Owners who have been looked at, and those of them with whom another worker was busy.
  tried uuid[] := '{}';
  busy uuid[] := '{}';
  waits boolean := false;
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    -- What another worker went away with comes first.
    select runs.owner into candidate
    from public.studio_runs as runs
    where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 < p_most_lost
      and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
      and not private.studio_is_set_aside('claims', runs.owner)
    order by runs.lease_until
    limit 1;
    if not found then
      select runs.owner into candidate
      from public.studio_runs as runs
        where runs.status = 'queued' and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
        and not private.studio_is_set_aside('claims', runs.owner)
      order by runs.queued_at
      limit 1;
    end if;
    if not found then
      exit when waits or cardinality(busy) = 0;
      waits := true;
      tried := array(select unnest(tried) except select unnest(busy));
      continue;
    end if;
    tried := tried || candidate;
    if not waits and not pg_try_advisory_xact_lock(7423004, hashtext(candidate::text)) then
      busy := busy || candidate;
      continue;
    end if;
    if waits then
      begin
        perform pg_advisory_xact_lock(7423004, hashtext(candidate::text));
      exception when lock_not_available or deadlock_detected then
        continue;
      end;
    end if;

    begin
      select runs.* into claimed
      from public.studio_runs as runs
      where runs.owner = candidate and runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now()
        and runs.lost + 1 < p_most_lost
        and private.studio_may_run(runs.owner, runs.workflow_id, true, p_most_of_owner)
      order by runs.lease_until
      limit 1
      for update skip locked;
      if not found then
        select runs.* into claimed
        from public.studio_runs as runs
        where runs.owner = candidate and runs.status = 'queued'
          and private.studio_may_run(runs.owner, runs.workflow_id, runs.attempt > 0, p_most_of_owner)
        order by runs.queued_at
        limit 1
        for update skip locked;
      end if;
      if found then
        update public.studio_runs as runs set
          status = 'running', worker = p_worker, attempt = runs.attempt + 1,
          lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
          lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
          started_at = case when runs.attempt = 0 then now() else runs.started_at end
        where runs.id = claimed.id
        returning runs.* into claimed;
        perform private.studio_end_chore('claims', candidate);
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
        if found then
          return;
        end if;
        update public.studio_runs as runs set
          status = 'failed', ended_at = now(), lease_until = null,
          error = jsonb_build_object(
            'code', 'internal', 'retryable', false, 'message', 'The published version of this run is gone.',
            'hint', 'Publish the workflow again and start a new run.')
        where runs.id = claimed.id;
        tried := array_remove(tried, candidate);
      end if;
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      perform private.studio_note_chore('claims', candidate, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

-- As before, but a run whose row somebody else has locked keeps its lease for now, and the others do not wait for it.
create or replace function private.studio_beat(p_worker text, p_concurrency integer, p_runs jsonb, p_lease_ms integer) returns jsonb
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
  ), own as (
    select runs.id, runs.cancel_requested_at from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
  ), free as (
    select runs.id from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
    for update of runs skip locked
  ), renewed as (
    update public.studio_runs as runs set
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from free where runs.id = free.id
  )
  select jsonb_build_object(
    'fenced', (
      select coalesce(jsonb_agg(held.id), '[]') from held
      where held.id not in (select own.id from own)
    ),
    'cancelled', (
      select coalesce(jsonb_agg(own.id), '[]') from own where own.cancel_requested_at is not null
    ),
    'decided', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'runId', waits.run_id, 'callId', waits.call_id, 'decision', waits.decision)), '[]')
      from own join public.studio_run_waits as waits on waits.run_id = own.id
      where waits.decision is not null
    )
  ) into mine;
  return mine;
end;
$$;

-- Retention -------------------------------------------------------------------------------------------

-- As before, but in parts of 50 runs, for two seconds at most: what is left then goes the next time.
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

drop function private.studio_prune_next_owner();

-- Deletes what an owner keeps no longer, with his own settings, as him. Gives whether something may be left.
create function private.studio_prune_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  pruned integer := 0;
begin
  perform private.studio_limit_waiting();
  if not pg_try_advisory_xact_lock(7423005, hashtext(p_owner::text)) then
    return false;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', p_owner::text, true);
  pruned := public.studio_prune_runs();
  if pruned < 50 then
    pruned := public.studio_prune_conversations();
    perform public.studio_prune_trash();
  end if;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  if pruned >= 50 then
    return true;
  end if;
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

-- Notices, traces and deletions -----------------------------------------------------------------------

drop function private.studio_claim_notice(text);

-- Takes the notice of an owner that has been due longest, and gives its id; null when none is. It comes due again soon, unless
-- somebody says what became of it.
create function private.studio_claim_notice(p_worker text, p_owner uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  claimed uuid;
begin
  perform private.studio_limit_waiting();
  update private.studio_notices as due set
    attempts = due.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
  where due.id = (
    select first.id from private.studio_notices as first where first.owner = p_owner and first.next_at <= now()
    order by first.next_at limit 1 for update skip locked
  )
  returning due.id into claimed;
  return claimed;
end;
$$;

drop function private.studio_claim_traces(text, integer);

-- Takes runs of one publication of an owner whose traces are due, those that have waited longest: { workflowId, runs }; null when
-- none is. They come due again soon, unless somebody says what became of them.
create function private.studio_claim_traces(p_worker text, p_most integer, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid;
  claimed jsonb;
begin
  perform private.studio_limit_waiting();
  select exports.workflow_id into chosen from private.studio_trace_exports as exports
  where exports.owner = p_owner and exports.next_at <= now() order by exports.next_at limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  with due as (
    select exports.run_id from private.studio_trace_exports as exports
    where exports.workflow_id = chosen and exports.next_at <= now()
    order by exports.next_at limit p_most for update skip locked
  ), taken as (
    update private.studio_trace_exports as exports set
      attempts = exports.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
    from due where due.run_id = exports.run_id
    returning exports.run_id
  )
  select jsonb_agg(taken.run_id) into claimed from taken;
  return jsonb_build_object('workflowId', chosen, 'runs', coalesce(claimed, '[]'::jsonb));
end;
$$;

-- One part of deleting an account, for about p_ms milliseconds: true once it is gone, null when another process is at it.
create function private.studio_delete_owner_part(p_owner uuid, p_ms integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_limit_waiting();
  return private.studio_delete_part(p_ms, p_owner);
end;
$$;

-- Goes on deleting accounts, each for about p_ms milliseconds, where no worker does: for pg_cron. Gives how many are gone.
create function private.studio_delete_accounts(p_ms integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  gone integer := 0;
begin
  for due in select * from private.studio_due_owners('deletions', null, 100) loop
    begin
      if private.studio_delete_owner_part(due.owner, p_ms) then
        gone := gone + 1;
      end if;
    exception when others then
      perform private.studio_note_chore('deletions', due.owner, sqlstate, sqlerrm);
    end;
  end loop;
  return gone;
end;
$$;

-- A statement of a worker that takes longer than this is the trouble of one owner.
do $$
begin
  alter role studio_worker set statement_timeout = '10s';
exception when insufficient_privilege then
  raise notice 'The role studio_worker keeps its own statement_timeout.';
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_reason(text, text)', 'studio_is_set_aside(text, uuid)', 'studio_limit_waiting()', 'studio_forget_workers()',
    'studio_delete_accounts(integer)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_note_chore(text, uuid, text, text)',
    'studio_end_chore(text, uuid)',
    'studio_due_owners(text, uuid, integer)',
    'studio_due_triggers(uuid, integer)',
    'studio_expire_waits(uuid)',
    'studio_fail_lost_runs(uuid, integer)',
    'studio_claim_run(text, integer, integer, integer, uuid)',
    'studio_prune_owner(uuid)',
    'studio_claim_notice(text, uuid)',
    'studio_claim_traces(text, integer, uuid)',
    'studio_delete_owner_part(uuid, integer)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
    execute format('grant execute on function private.%s to studio_worker', signature);
  end loop;
  revoke execute on function private.studio_delete_part(integer, uuid) from studio_worker;
  foreach signature in array array['studio_schedules(uuid)', 'studio_chore_problems()'] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
end;
$$;
