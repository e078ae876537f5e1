-- A question holds a tool's arguments as they were asked, before any privacy mask. Once its run has ended nobody can decide it,
-- and what was decided is in the run's events.
delete from public.studio_run_waits as waits
using public.studio_runs as runs
where runs.id = waits.run_id and runs.status in ('completed', 'failed', 'cancelled');

create function private.studio_forget_waits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.studio_run_waits as waits where waits.run_id = new.id;
  return null;
end;
$$;

revoke all on function private.studio_forget_waits() from public, anon, authenticated;

create trigger studio_runs_forget_waits
after update of status on public.studio_runs
for each row
when (new.status in ('completed', 'failed', 'cancelled') and old.status is distinct from new.status)
execute function private.studio_forget_waits();

-- Decides what the caller's run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired' or 'over'.
create or replace function public.studio_decide_wait(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  wait public.studio_run_waits%rowtype;
  run_status text;
begin
  select runs.status into run_status from public.studio_runs as runs
  where runs.id = p_run_id and runs.owner = caller for update;
  if run_status not in ('queued', 'running', 'waiting') then
    return 'over';
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.owner = caller
    and found.kind <> 'time' for update;
  if not found then
    raise exception 'wait_not_found' using errcode = 'P0002';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
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
