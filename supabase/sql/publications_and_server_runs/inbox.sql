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

select private.studio_grant_calls('public.studio_inbox(integer)', 'authenticated', 'service_role');
