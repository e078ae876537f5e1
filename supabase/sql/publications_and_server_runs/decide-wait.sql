-- Decides what the caller's run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired' or 'over'.
create or replace function public.studio_decide_wait(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  wait public.studio_run_waits%rowtype;
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller for update;
  if run.status not in ('queued', 'running', 'waiting') or run.cancel_requested_at is not null then
    return 'over';
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.owner = caller
    and found.kind <> 'time' for update;
  if not found then
    raise exception 'wait_not_found' using errcode = 'PT404';
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

select private.studio_grant_calls('public.studio_decide_wait(uuid, text, jsonb)', 'authenticated', 'service_role');
