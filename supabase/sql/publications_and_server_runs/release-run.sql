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
            where events.run_id = p_run_id and events.run_added_at = runs.added_at and events.type in ('approval-end', 'form-end', 'wait-end')
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

select private.studio_grant_calls('private.studio_release_run(uuid, integer, jsonb, text)', 'studio_worker');
