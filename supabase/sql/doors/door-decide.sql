-- Decides what a run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired', 'over' or 'unknown'.
create or replace function public.studio_door_decide(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  wait public.studio_run_waits%rowtype;
  run_status text;
begin
  select runs.status into run_status from public.studio_runs as runs where runs.id = p_run_id for update;
  if run_status is null or run_status not in ('queued', 'running', 'waiting') then
    return case when run_status is null then 'unknown' else 'over' end;
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.kind <> 'time' for update;
  if not found then
    return 'unknown';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
  end if;
  if wait.expires_at <= now() then
    return 'expired';
  end if;
  update public.studio_run_waits as waits set decision = p_decision - 'expired', decided_at = now()
  where waits.run_id = p_run_id and waits.call_id = p_call_id;
  update public.studio_runs as runs set status = 'queued', queued_at = now()
  where runs.id = p_run_id and runs.status = 'waiting';
  perform private.studio_wake_workers();
  return 'decided';
end;
$$;

select private.studio_grant_calls('public.studio_door_decide(uuid, text, jsonb)', 'service_role');
