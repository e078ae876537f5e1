-- Ends waits of an owner whose time is over, 200 at most, and lets their runs go on. Gives how many there were.
create or replace function private.studio_expire_waits(p_owner uuid) returns integer
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

select private.studio_grant_calls('private.studio_expire_waits(uuid)', 'studio_worker');
