-- Subject: publications_and_server_runs
-- A job for each queued run that may go on now: what workers take. The run's row is the record; jobs can be deleted and come back.
create table private.studio_run_jobs (
  id bigint generated always as identity primary key,
  -- No foreign keys: whoever adds a job waits for nobody who holds the run or its owner. What is left of either is done with.
  run_id uuid not null unique,
  owner uuid not null,
  workflow_id uuid not null,
  added_at timestamptz not null default now()
);

create index studio_run_jobs_of_owner on private.studio_run_jobs (owner, workflow_id);

select private.studio_grant_rows('private.studio_run_jobs');

-- When an owner's queue is looked at again without one of his runs having changed.
create table private.studio_queue_checks (
  id bigint generated always as identity primary key,
  owner uuid not null,
  at timestamptz not null default now()
);

create index studio_queue_checks_due on private.studio_queue_checks (at);
create index studio_queue_checks_of_owner on private.studio_queue_checks (owner, at);

select private.studio_grant_rows('private.studio_queue_checks');

create index studio_runs_queue_of_owner on public.studio_runs (owner, workflow_id, (least(attempt, 1)), queued_at)
  where status = 'queued';
create index studio_runs_starts on public.studio_runs (workflow_id, started_at) where source <> 'editor' and attempt > 0;
drop index public.studio_runs_queue;

drop function private.studio_may_run(uuid, uuid, boolean, integer);

-- Owners for whom a chore is due, in the order of their ids, from p_after on; `failing`: it has failed for them the last time.
-- Owners who are set aside are left out.
create or replace function private.studio_due_owners(p_chore text, p_after uuid, p_limit integer)
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
    select jobs.owner from private.studio_run_jobs as jobs where p_chore = 'claims'
    union
    select checks.owner from private.studio_queue_checks as checks where p_chore = 'claims' and checks.at <= now()
    union
    select runs.owner from public.studio_runs as runs where p_chore = 'queue' and runs.status = 'queued'
    union
    select users.id from auth.users as users
    left join private.studio_pruned as pruned on pruned.owner = users.id
    where p_chore = 'retention' and (pruned.at is null or pruned.at < now() - interval '1 day')
    union
    select notices.owner from private.studio_notices as notices where p_chore = 'notices' and notices.next_at <= now()
    union
    select exports.owner from private.studio_trace_exports as exports where p_chore = 'traces' and exports.next_at <= now()
    union
    select documents.owner from public.studio_knowledge_documents as documents where p_chore = 'reindexing' and documents.stale
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

select private.studio_grant_calls('private.studio_due_owners(text, uuid, integer)', 'studio_worker');

-- Adds a job for each queued run of an owner that may go on now, the oldest first, and takes back jobs for which a lowered limit has
-- no room. Strict: running runs and jobs of an owner are counted by one at a time. Limits are those of his workflows, and 50 runs of
-- his at once, so that others always get a turn. While the studio pauses, this is put off until it does not.
create or replace function private.studio_admit_runs(p_owner uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most constant integer := 50;
  free integer;
  flows uuid[];
  runs_of integer[];
  starts_of integer[];
  next_at timestamptz;
begin
  if exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return;
  end if;
  if exists (select from private.studio_pause) then
    perform private.studio_check_later(p_owner, now());
    return;
  end if;
  perform pg_advisory_xact_lock(7423004, hashtext(p_owner::text));
  with recursive queued (workflow_id) as (
    (
      select runs.workflow_id from public.studio_runs as runs
      where runs.owner = p_owner and runs.status = 'queued'
      order by runs.workflow_id
      limit 1
    )
    union all
    select (
      select runs.workflow_id from public.studio_runs as runs
      where runs.owner = p_owner and runs.status = 'queued' and runs.workflow_id > queued.workflow_id
      order by runs.workflow_id
      limit 1
    )
    from queued where queued.workflow_id is not null
  )
  select array_agg(queued.workflow_id), array_agg(room.runs), array_agg(room.starts),
    min(room.room_at) filter (where room.starts <= 0)
  into flows, runs_of, starts_of, next_at
  from queued cross join lateral private.studio_queue_room(p_owner, queued.workflow_id, most) as room
  where queued.workflow_id is not null;
  if flows is null then
    return;
  end if;

  -- Those that a worker is taking are let go.
  delete from private.studio_run_jobs as jobs where jobs.id in (
    select taken.id
    from unnest(flows, runs_of, starts_of) as flow (workflow_id, runs, starts)
    cross join lateral (
      select held.id from private.studio_run_jobs as held
      join public.studio_runs as runs on runs.id = held.run_id
      where held.owner = p_owner and held.workflow_id = flow.workflow_id and (flow.runs < 0 or runs.attempt = 0)
      order by held.id desc
      limit greatest(- least(flow.runs, flow.starts), 0)
      for update of held skip locked
    ) as taken
    where least(flow.runs, flow.starts) < 0
  );
  if found then
    perform private.studio_check_later(p_owner, now());
  end if;

  select most - (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor'
  ) - (
    select count(*) from private.studio_run_jobs as jobs
    join public.studio_runs as runs on runs.id = jobs.run_id and runs.status = 'queued'
    where jobs.owner = p_owner
  ) into free;
  insert into private.studio_run_jobs (run_id, owner, workflow_id)
  select picked.id, p_owner, picked.workflow_id
  from (
    select next.id, next.queued_at, flow.workflow_id, flow.runs,
      row_number() over (partition by flow.workflow_id order by next.queued_at) as place
    from unnest(flows, runs_of, starts_of) as flow (workflow_id, runs, starts)
    cross join lateral (
      (
        select runs.id, runs.queued_at from public.studio_runs as runs
        where runs.owner = p_owner and runs.workflow_id = flow.workflow_id and runs.status = 'queued'
          and least(runs.attempt, 1) = 1
          and not exists (select from private.studio_run_jobs as jobs where jobs.run_id = runs.id)
        order by runs.queued_at
        limit greatest(least(flow.runs, free), 0)
      )
      union all
      (
        select runs.id, runs.queued_at from public.studio_runs as runs
        where runs.owner = p_owner and runs.workflow_id = flow.workflow_id and runs.status = 'queued'
          and least(runs.attempt, 1) = 0
          and not exists (select from private.studio_run_jobs as jobs where jobs.run_id = runs.id)
        order by runs.queued_at
        limit greatest(least(flow.runs, flow.starts, free), 0)
      )
    ) as next
  ) as picked
  where picked.place <= picked.runs
  order by picked.queued_at
  limit greatest(free, 0)
  on conflict (run_id) do nothing;

  if next_at is not null then
    perform private.studio_check_later(p_owner, next_at);
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_admit_runs(uuid)');

-- Has an owner's queue looked at again at p_at, by whichever worker looks for a run next. One look at a later time is enough; one
-- that is due may be under way, and know nothing of what has just changed.
create or replace function private.studio_check_later(p_owner uuid, p_at timestamptz) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.studio_queue_checks (owner, at)
  select p_owner, p_at
  where p_at <= now() or not exists (
    select from private.studio_queue_checks as known
    where known.owner = p_owner and known.at > now() and known.at <= p_at);
$$;

select private.studio_grant_calls('private.studio_check_later(uuid, timestamp with time zone)', 'studio_worker');

-- Looks at the queues that are due to be looked at, of p_owner or of anybody, 20 owners at most. One whose queue cannot be read is
-- set aside.
create or replace function private.studio_check_queue(p_owner uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  due uuid;
  tried uuid[] := '{}';
begin
  for _ in 1..20 loop
    select checks.owner into due from private.studio_queue_checks as checks
    where checks.at <= now() and (p_owner is null or checks.owner = p_owner) and checks.owner <> all (tried)
      and not private.studio_is_set_aside('claims', checks.owner)
    order by checks.at
    limit 1
    for update skip locked;
    exit when not found;
    tried := tried || due;
    -- Somebody else is at it.
    continue when not pg_try_advisory_xact_lock(7423004, hashtext(due::text));
    begin
      delete from private.studio_queue_checks as checks where checks.id in (
        select known.id from private.studio_queue_checks as known where known.owner = due and known.at <= now()
        for update skip locked);
      perform private.studio_admit_runs(due);
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      perform private.studio_note_chore('claims', due, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_check_queue(uuid)');

drop function private.studio_claim_run(text, integer, integer, integer, uuid);

-- What workers of before the queue of admitted runs call: it tells them that they are too old.
create or replace function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer, p_most_lost integer, p_owner uuid default null
) returns table (id uuid)
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'The worker % is of an older version than its database. Install the version of the studio there, and start it again.', p_worker
    using errcode = '0A000';
end;
$$;

select private.studio_grant_calls('private.studio_claim_run(text, integer, integer, integer, uuid)', 'studio_worker');

-- After a change of limits the owner's queue is looked at before the next run is taken.
create or replace function private.studio_limits_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_check_later(new.owner, now());
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_limits_changed()');

-- Takes the next run for p_lease_ms, of p_owner or of anybody, or gives no row. Whether a run may go on was decided when its job was
-- added, so this costs the same however long queues are, and no worker waits for another. An owner whose run cannot be taken is set
-- aside, and the next one is served.
create or replace function private.studio_next_run(
  p_worker text, p_lease_ms integer, p_most_lost integer default 5, p_owner uuid default null
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
  job private.studio_run_jobs%rowtype;
  failed uuid[] := '{}';
  passed bigint[] := '{}';
begin
  perform set_config('lock_timeout', '500ms', true);
  perform private.studio_check_queue(p_owner);
  loop
    job := null;
    -- What another worker went away with comes first; it has kept its place.
    select runs.* into claimed from public.studio_runs as runs
    where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 < p_most_lost
      and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (failed)
      and not private.studio_is_set_aside('claims', runs.owner)
    order by runs.lease_until
    limit 1
    for update skip locked;
    if not found then
      select jobs.* into job from private.studio_run_jobs as jobs
      where (p_owner is null or jobs.owner = p_owner) and jobs.owner <> all (failed) and jobs.id <> all (passed)
        and not private.studio_is_set_aside('claims', jobs.owner)
      order by jobs.id
      limit 1
      for update skip locked;
      exit when not found;
      select runs.* into claimed from public.studio_runs as runs
      where runs.id = job.run_id and runs.status = 'queued'
      for update skip locked;
      if not found then
        -- Changed by somebody right now, or a job of a run that is not queued any more, which is done with.
        passed := passed || job.id;
        delete from private.studio_run_jobs as jobs
        where jobs.id = job.id
          and not exists (select from public.studio_runs as runs where runs.id = job.run_id and runs.status = 'queued');
        continue;
      end if;
    end if;

    begin
      delete from private.studio_run_jobs as jobs where jobs.id = job.id;
      update public.studio_runs as runs set
        status = 'running', worker = p_worker, attempt = runs.attempt + 1,
        lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
        lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
        started_at = case when runs.attempt = 0 then now() else runs.started_at end
      where runs.id = claimed.id
      returning runs.* into claimed;
      perform private.studio_end_chore('claims', claimed.owner);
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
        -- Its place among the starts of a minute is free again after that minute.
        if claimed.attempt = 1 and exists (
          select from public.studio_publications as publications
          where publications.workflow_id = claimed.workflow_id and publications.limits -> 'perMinute' is not null
        ) then
          perform private.studio_check_later(claimed.owner, now() + interval '1 minute');
        end if;
        return;
      end if;
      update public.studio_runs as runs set
        status = 'failed', ended_at = now(), lease_until = null,
        error = jsonb_build_object(
          'code', 'internal', 'retryable', false, 'message', 'The published version of this run is gone.',
          'hint', 'Publish the workflow again and start a new run.')
      where runs.id = claimed.id;
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      failed := failed || claimed.owner;
      perform private.studio_note_chore('claims', claimed.owner, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_next_run(text, integer, integer, uuid)', 'studio_worker');

-- At the end of a transaction in which a run was queued, ended, put to wait or deleted: its owner's next runs are admitted. What
-- cannot be admitted now keeps nobody from queueing or ending a run: workers look again, and their trouble is told.
create or replace function private.studio_queue_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner constant uuid := case when tg_op = 'DELETE' then old.owner else new.owner end;
begin
  if tg_op = 'UPDATE' and old.status = 'queued' then
    delete from private.studio_run_jobs as jobs where jobs.id in (
      select held.id from private.studio_run_jobs as held where held.run_id = new.id for update skip locked);
  end if;
  -- Many at once.
  if tg_op = 'DELETE' then
    perform private.studio_check_later(run_owner, now());
    return null;
  end if;
  begin
    perform private.studio_limit_waiting();
    perform private.studio_admit_runs(run_owner);
  exception when others then
    perform private.studio_check_later(run_owner, now());
  end;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_queue_changed()');

-- How many more runs of a workflow may be admitted, of an owner who may have p_most: `runs` of any kind, and `starts` among them.
-- Below 0 where a limit was lowered. A run counts from its admission to its end or its next wait, also while its worker is gone. A
-- start counts for a minute, and before it happens; `room_at`: when the oldest one counts no longer.
create or replace function private.studio_queue_room(p_owner uuid, p_workflow_id uuid, p_most integer)
returns table (runs integer, starts integer, room_at timestamptz)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  return query
    with admitted as (
      select count(*)::integer as all_of_them, (count(*) filter (where queued.attempt = 0))::integer as starts
      from private.studio_run_jobs as jobs
      join public.studio_runs as queued on queued.id = jobs.run_id and queued.status = 'queued'
      where jobs.owner = p_owner and jobs.workflow_id = p_workflow_id
    ), running as (
      select count(*)::integer as all_of_them from public.studio_runs as busy
      where busy.owner = p_owner and busy.status = 'running' and busy.workflow_id = p_workflow_id and busy.source <> 'editor'
    ), recent as (
      select count(*)::integer as starts, min(started.started_at) + interval '1 minute' as room_at
      from public.studio_runs as started
      where limits -> 'perMinute' is not null and started.workflow_id = p_workflow_id and started.source <> 'editor'
        and started.attempt > 0 and started.started_at > now() - interval '1 minute'
    )
    select
      least(ceil((limits ->> 'concurrent')::numeric), p_most)::integer - running.all_of_them - admitted.all_of_them,
      coalesce(least(ceil((limits ->> 'perMinute')::numeric), 1000000)::integer - recent.starts - admitted.starts, p_most),
      recent.room_at
    from admitted, running, recent;
end;
$$;

select private.studio_grant_calls('private.studio_queue_room(uuid, uuid, integer)');

-- At the end of the transaction, so that an owner's queue is held for no longer than that takes, and last of all.
create constraint trigger studio_runs_queue_added after insert on public.studio_runs
  deferrable initially deferred
  for each row when (new.status = 'queued' and new.source <> 'editor')
  execute function private.studio_queue_changed();
create constraint trigger studio_runs_queue_changed after update of status on public.studio_runs
  deferrable initially deferred
  for each row when (
    new.source <> 'editor' and old.status is distinct from new.status
    and (new.status = 'queued' or old.status = 'running' or (old.status = 'queued' and new.status <> 'running'))
  )
  execute function private.studio_queue_changed();
create constraint trigger studio_runs_queue_removed after delete on public.studio_runs
  deferrable initially deferred
  for each row when (old.source <> 'editor' and old.status in ('queued', 'running'))
  execute function private.studio_queue_changed();
create trigger studio_publications_limits_changed after update of limits on public.studio_publications
  for each row when (old.limits is distinct from new.limits)
  execute function private.studio_limits_changed();

-- Runs that are queued already.
insert into private.studio_queue_checks (owner)
select distinct runs.owner from public.studio_runs as runs where runs.status = 'queued' and runs.source <> 'editor';
