-- The caller's publications, and how they have been doing since a moment: [{ workflowId, name, slug, live, runs, failed }].
create or replace function public.studio_activity_overview(p_from timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'workflowId', own.workflow_id, 'name', workflows.name, 'slug', own.slug, 'live', own.live,
      'runs', coalesce(sums.runs, 0), 'failed', coalesce(sums.failed, 0)) order by workflows.name, own.slug), '[]'::jsonb)
    from public.studio_publications as own
    join public.studio_workflows as workflows on workflows.id = own.workflow_id and workflows.deleted_at is null
    left join lateral (
      select sum(activity.runs) as runs, sum(activity.failed) as failed from private.studio_activity as activity
      where activity.workflow_id = own.workflow_id and activity.hour >= p_from
    ) as sums on true
    where own.owner = caller
  );
end;
$$;

select private.studio_grant_calls('public.studio_activity_overview(timestamp with time zone)', 'authenticated', 'service_role');
