-- The nodes of a published version that matter to its webhook: { triggers: [id], responds: [id] }; null where there is no such
-- version.
create or replace function public.studio_hook_nodes(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'triggers', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'webhook-trigger'), '[]'),
    'responds', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'respond'), '[]'))
  from public.studio_published as versions
  left join lateral jsonb_each(versions.document -> 'nodes') as node
    on node.value ->> 'type' in ('webhook-trigger', 'respond') and not coalesce((node.value -> 'disabled')::boolean, false)
  where versions.workflow_id = p_workflow_id and versions.version = p_version
  group by versions.version;
$$;

select private.studio_grant_calls('public.studio_hook_nodes(uuid, integer)', 'service_role');
