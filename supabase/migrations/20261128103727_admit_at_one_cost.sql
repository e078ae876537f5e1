drop function private.studio_admit_runs(uuid);

-- Starts a run for a door, within what the key may spend: { id, status, isNew }, or { problem, retryAfter? } with nothing
-- started. Problems: 'not_published', 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run
-- do), 'spent' (the cap of a day or a month is reached), 'key_reused' (the idempotency key belongs to another input).
-- p_input: { value }.
create or replace function public.studio_door_start(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text default null, p_trigger_id uuid default null,
  p_api_key_id uuid default null, p_subject text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  publication public.studio_publications%rowtype;
  key_limits jsonb;
  most integer;
  known record;
  taken jsonb;
  started jsonb;
  of_day numeric;
  of_month numeric;
begin
  -- Starts of one workflow come one after the other, so that no limit is passed by two at once.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if p_key is not null then
    select runs.id, runs.status, runs.input -> 'value' as input into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    if found and known.input is distinct from p_input -> 'value' then
      return jsonb_build_object('problem', 'key_reused');
    end if;
    if found then
      return jsonb_build_object('id', known.id, 'status', known.status, 'isNew', false);
    end if;
  end if;
  most := greatest(20, coalesce(least(ceil((publication.limits ->> 'concurrent')::numeric), 100000)::integer, 20) * 5);
  if (
    select count(*) from (
      select from public.studio_runs as waiting
      where waiting.owner = publication.owner and waiting.workflow_id = p_workflow_id and waiting.status = 'queued'
        and least(waiting.attempt, 1) = 0
      limit most
    ) as few
  ) >= most then
    return jsonb_build_object('problem', 'busy', 'retryAfter', 5);
  end if;
  select keys.limits into key_limits from public.studio_api_keys as keys where keys.id = p_api_key_id;
  if key_limits -> 'concurrent' is not null then
    perform pg_advisory_xact_lock(hashtextextended('start ' || p_api_key_id::text, 0));
    if (
      select count(*) from public.studio_runs as open
      where open.api_key_id = p_api_key_id and open.status in ('queued', 'running')
    ) >= (key_limits ->> 'concurrent')::numeric then
      return jsonb_build_object('problem', 'busy', 'retryAfter', 2);
    end if;
  end if;
  if publication.limits ?| array['dayUsd', 'monthUsd'] then
    select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
    into of_day, of_month
    from private.studio_spending as spending
    where spending.workflow_id = p_workflow_id and spending.day >= date_trunc('month', today)::date;
    if of_day >= (publication.limits ->> 'dayUsd')::numeric or of_month >= (publication.limits ->> 'monthUsd')::numeric then
      return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
    end if;
  end if;
  if private.studio_key_cap(p_api_key_id, 0) is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
  end if;
  if publication.limits -> 'perMinute' is not null then
    taken := public.studio_take_door_limit(
      'starts of ' || p_workflow_id, greatest(1, ceil((publication.limits ->> 'perMinute')::numeric)::integer));
    if (taken ->> 'wait')::integer > 0 then
      return jsonb_build_object('problem', 'rate_limit', 'retryAfter', taken -> 'wait');
    end if;
  end if;
  begin
    started := private.studio_queue_run(
      p_workflow_id, p_target, p_input -> 'value', p_source, p_key, p_trigger_id, null);
  exception when sqlstate 'PT404' then
    return jsonb_build_object('problem', 'not_published');
  end;
  update public.studio_runs as runs set api_key_id = p_api_key_id, subject = p_subject
  where runs.id = (started ->> 'id')::uuid and (started ->> 'created')::boolean;
  return jsonb_build_object('id', started -> 'id', 'status', started -> 'status', 'isNew', started -> 'created');
end;
$$;

select private.studio_grant_calls('public.studio_door_start(uuid, text, jsonb, text, text, uuid, uuid, text)', 'service_role');

-- Adds a job for each queued run of an owner that may go on now, the oldest first, and takes back jobs for which a lowered limit has
-- no room. Strict: running runs and jobs of an owner are counted by one at a time. Limits are those of his workflows, and 50 runs of
-- his at once, so that others always get a turn. While the studio pauses, this is put off until it does not. p_workflow_id: nothing
-- has changed but that runs of this workflow were queued, so nothing of his other workflows is looked at.
create or replace function private.studio_admit_runs(p_owner uuid, p_workflow_id uuid) returns void
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
  free := private.studio_owner_room(p_owner, most);
  if p_workflow_id is not null then
    if free <= 0 then
      return;
    end if;
    select array[p_workflow_id], array[room.runs], array[room.starts], case when room.starts <= 0 then room.room_at end
    into flows, runs_of, starts_of, next_at
    from private.studio_queue_room(p_owner, p_workflow_id, most) as room;
  else
    select array_agg(queued.workflow_id), array_agg(room.runs), array_agg(room.starts),
      min(room.room_at) filter (where room.starts <= 0)
    into flows, runs_of, starts_of, next_at
    from private.studio_queued_workflows(p_owner) as queued
    cross join lateral private.studio_queue_room(p_owner, queued.workflow_id, most) as room;
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
      free := private.studio_owner_room(p_owner, most);
    end if;
  end if;

  insert into private.studio_run_jobs (run_id, owner, workflow_id)
  select picked.id, p_owner, picked.workflow_id
  from (
    select next.id, next.queued_at, flow.workflow_id, flow.runs,
      row_number() over (partition by flow.workflow_id order by next.queued_at) as place
    from unnest(flows, runs_of, starts_of) as flow (workflow_id, runs, starts)
    cross join lateral (
      select * from private.studio_oldest_queued(p_owner, flow.workflow_id, 1, least(flow.runs, free))
      union all
      select * from private.studio_oldest_queued(p_owner, flow.workflow_id, 0, least(flow.runs, flow.starts, free))
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

select private.studio_grant_calls('private.studio_admit_runs(uuid, uuid)');

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
      perform private.studio_admit_runs(due, null);
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
      and not exists (select from private.studio_deletions as deletions where deletions.owner = runs.owner)
    order by runs.lease_until
    limit 1
    for update skip locked;
    if not found then
      select jobs.* into job from private.studio_run_jobs as jobs
      where (p_owner is null or jobs.owner = p_owner) and jobs.owner <> all (failed) and jobs.id <> all (passed)
        and not private.studio_is_set_aside('claims', jobs.owner)
        and not exists (select from private.studio_deletions as deletions where deletions.owner = jobs.owner)
      order by jobs.id
      limit 1
      for update skip locked;
      exit when not found;
      select runs.* into claimed from public.studio_runs as runs
      where runs.id = job.run_id
      for update skip locked;
      if not found or claimed.status <> 'queued' then
        -- Changed by somebody right now, or a job of a run that is not queued any more, which is done with.
        passed := passed || job.id;
        delete from private.studio_run_jobs as jobs
        where jobs.id = job.id
          and (select runs.status from public.studio_runs as runs where runs.id = job.run_id) is distinct from 'queued';
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

-- The oldest queued runs of a workflow without a job, p_most of them: p_begun 1 for those that had begun, 0 for starts. In the order of
-- the index, as in studio_queued_workflows.
create or replace function private.studio_oldest_queued(p_owner uuid, p_workflow_id uuid, p_begun integer, p_most integer)
returns table (id uuid, queued_at timestamptz)
language plpgsql volatile security definer set search_path = '' set enable_sort = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query
    select runs.id, runs.queued_at from public.studio_runs as runs
    where runs.owner = p_owner and runs.workflow_id = p_workflow_id and runs.status = 'queued' and least(runs.attempt, 1) = p_begun
      and not exists (select from private.studio_run_jobs as jobs where jobs.run_id = runs.id)
    order by runs.queued_at
    limit greatest(p_most, 0);
end;
$$;

select private.studio_grant_calls('private.studio_oldest_queued(uuid, uuid, integer, integer)');

-- How many more runs may be admitted of an owner who may have p_most. Here and elsewhere a job's run is looked up by its id alone, and
-- then asked for its status: in one condition they have the index of what is queued read from end to end, where the planner takes the
-- queue for short.
create or replace function private.studio_owner_room(p_owner uuid, p_most integer) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return p_most - (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor'
  ) - (
    select count(*) from private.studio_run_jobs as jobs
    where jobs.owner = p_owner
      and (select runs.status from public.studio_runs as runs where runs.id = jobs.run_id) = 'queued'
  );
end;
$$;

select private.studio_grant_calls('private.studio_owner_room(uuid, integer)');

-- At the end of a transaction in which a run was queued, ended, put to wait or deleted: its owner's next runs are admitted, once
-- however many of his runs there were. What cannot be admitted now keeps nobody from queueing or ending a run: workers look again,
-- and their trouble is told.
create or replace function private.studio_queue_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner constant uuid := case when tg_op = 'DELETE' then old.owner else new.owner end;
  -- Only this workflow's, where no place became free.
  of_workflow uuid;
  admitted constant text := coalesce(current_setting('studio.admitted', true), '');
  mark text;
begin
  if tg_op = 'UPDATE' and old.status = 'queued' then
    delete from private.studio_run_jobs as jobs where jobs.id in (
      select held.id from private.studio_run_jobs as held where held.run_id = new.id for update skip locked);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.status = 'waiting') then
    of_workflow := new.workflow_id;
  end if;
  -- This comes after all statements of the transaction, so the first admission has seen what they did.
  mark := concat(run_owner, '/', of_workflow, ' ');
  if strpos(admitted, concat(run_owner, '/ ')) > 0 or strpos(admitted, mark) > 0 then
    return null;
  end if;
  perform set_config('studio.admitted', admitted || mark, true);
  begin
    perform private.studio_limit_waiting();
    perform private.studio_admit_runs(run_owner, of_workflow);
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
      select count(queued.attempt)::integer as all_of_them, (count(*) filter (where queued.attempt = 0))::integer as starts
      from (
        select (
          select case when runs.status = 'queued' then runs.attempt end from public.studio_runs as runs where runs.id = jobs.run_id
        ) as attempt
        from private.studio_run_jobs as jobs
        where jobs.owner = p_owner and jobs.workflow_id = p_workflow_id
      ) as queued
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

-- The workflows of which runs of an owner are queued, each found by one step in the index. Without sorting, since that would read the
-- whole queue, which the planner may take for short.
create or replace function private.studio_queued_workflows(p_owner uuid) returns table (workflow_id uuid)
language plpgsql volatile security definer set search_path = '' set enable_sort = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query
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
    select queued.workflow_id from queued where queued.workflow_id is not null;
end;
$$;

select private.studio_grant_calls('private.studio_queued_workflows(uuid)');

-- Every start of a run in a browser clears what is over, whichever client writes it. Where runs are started on workers, these do it by
-- the clock: a start costs the same however many runs wait.
create or replace function public.studio_prune_on_start() returns trigger
language plpgsql security invoker set search_path = ''
as $$
begin
  if (select auth.uid()) is not null and exists (select from added where added.source = 'editor') then
    perform public.studio_prune_runs();
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('public.studio_prune_on_start()', 'service_role');

drop trigger studio_write_2_prune on public.studio_runs;
-- After the sums, which now say how many runs there are.
create trigger studio_write_2_prune after insert on public.studio_runs
  referencing new table as added
  for each statement execute function public.studio_prune_on_start();
