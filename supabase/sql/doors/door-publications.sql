-- The live publications of an account whose door for programs is not closed: [{ workflowId, slug, name, live, publishedAt }].
create or replace function public.studio_door_publications(p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'workflowId', publications.workflow_id, 'slug', publications.slug, 'name', workflows.name, 'live', publications.live,
    'publishedAt', extract(epoch from versions.published_at)::bigint) order by publications.slug), '[]'::jsonb)
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  join public.studio_published as versions
    on versions.workflow_id = publications.workflow_id and versions.version = publications.live
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = 'api'
  where publications.owner = p_owner and coalesce(doors.enabled, true);
$$;

select private.studio_grant_calls('public.studio_door_publications(uuid)', 'service_role');
