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
