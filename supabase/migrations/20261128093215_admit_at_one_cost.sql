drop function private.studio_admit_runs(uuid);

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
  -- Neither of them depends on how long the queue is.
  if p_workflow_id is not null then
    if free <= 0 then
      return;
    end if;
    select array[p_workflow_id], array[room.runs], array[room.starts], case when room.starts <= 0 then room.room_at end
    into flows, runs_of, starts_of, next_at
    from private.studio_queue_room(p_owner, p_workflow_id, most) as room;
  else
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

-- How many more runs may be admitted of an owner who may have p_most. The state of a job's run is looked up by its id, one by one:
-- there are few jobs, and joined they have the whole queue read where the planner takes it for short.
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
        select (select runs.attempt from public.studio_runs as runs where runs.id = jobs.run_id and runs.status = 'queued') as attempt
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
