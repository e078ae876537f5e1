-- A tool may ask a person a form during its call, in the inbox as approvals are.

-- Gives a run back. 'waiting': it goes on once something it waits for is decided, at once where that has happened already.
-- 'queued': the worker stops, and another one goes on. Gives the status, or 'fenced'.
create or replace function private.studio_release_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_status text) returns text
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
            where events.run_id = p_run_id and events.type in ('approval-end', 'form-end', 'wait-end')
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

-- What waits for the caller, approvals and forms that tools ask, the oldest first: { total, waits }. Waits of runs that are over
-- and those whose time is over are left out. p_limit 0 counts alone.
create or replace function public.studio_inbox(p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with open as (
    select waits.run_id, waits.call_id, waits.question, waits.asked_at, waits.expires_at,
      runs.workflow_id, workflows.name as workflow_name
    from public.studio_run_waits as waits
    join public.studio_runs as runs on runs.id = waits.run_id
    join public.studio_workflows as workflows on workflows.id = runs.workflow_id
    where waits.owner = (select auth.uid()) and waits.decision is null and waits.kind in ('approval', 'form')
      and (waits.expires_at is null or waits.expires_at > now())
      and runs.status in ('queued', 'running', 'waiting')
  )
  select jsonb_build_object(
    'total', (select count(*) from open),
    'waits', coalesce((
      select jsonb_agg(to_jsonb(page) order by page.asked_at, page.run_id, page.call_id)
      from (
        select * from open
        order by open.asked_at, open.run_id, open.call_id
        limit greatest(0, least(p_limit, 200))
      ) as page
    ), '[]'::jsonb)
  );
$$;
