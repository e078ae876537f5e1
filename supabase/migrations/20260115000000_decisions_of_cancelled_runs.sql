-- A run that was asked to stop makes no further call: whoever answers its question is told that it is over, and the inbox no
-- longer lists it, also before a worker has written its end.

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
      and runs.status in ('queued', 'running', 'waiting') and runs.cancel_requested_at is null
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
