-- The publication that a slug or a workflow's id names, with its limits and one kind of its doors: { workflowId, owner, slug,
-- name, live, staging, limits, enabled, config, secrets }; `enabled` null where the door was never set up. Null where nothing is
-- published under it.
create or replace function public.studio_read_door(p_publication text, p_kind text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'workflowId', publications.workflow_id, 'owner', publications.owner, 'slug', publications.slug,
    'name', workflows.name, 'live', publications.live, 'staging', publications.staging, 'limits', publications.limits,
    'enabled', doors.enabled, 'config', coalesce(doors.config, '{}'::jsonb),
    'secrets', coalesce(stored.secrets, '{}'::jsonb))
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = p_kind
  left join private.studio_door_secrets as stored on stored.workflow_id = doors.workflow_id and stored.kind = doors.kind
  where publications.slug = p_publication or publications.workflow_id::text = p_publication;
$$;

select private.studio_grant_calls('public.studio_read_door(text, text)', 'service_role');
