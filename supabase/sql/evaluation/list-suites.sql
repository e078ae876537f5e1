-- The caller's suites, the latest change first, with the cases that were not deleted: [{ id, name, workflowId, workflowName,
-- cases, lastStatus, lastAt }].
create or replace function public.studio_list_suites(p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(page) order by page."updatedAt" desc, page.id), '[]'::jsonb)
  from (
    select suites.id, suites.name, suites.workflow_id as "workflowId", workflows.name as "workflowName",
      suites.updated_at as "updatedAt",
      (
        select count(*) from public.studio_cases as cases
        where cases.suite_id = suites.id and cases.removed_at is null
      ) as cases,
      last.status as "lastStatus", last.created_at as "lastAt"
    from public.studio_suites as suites
    join public.studio_workflows as workflows on workflows.id = suites.workflow_id
    left join lateral (
      select evaluations.status, evaluations.created_at from public.studio_evaluations as evaluations
      where evaluations.suite_id = suites.id
      order by evaluations.created_at desc limit 1
    ) as last on true
    where suites.owner = (select auth.uid()) and workflows.deleted_at is null
    order by suites.updated_at desc, suites.id
    limit greatest(0, least(p_limit, 500))
  ) as page;
$$;

select private.studio_grant_calls('public.studio_list_suites(integer)', 'authenticated', 'service_role');
