-- The document of a published version; null where there is none.
create or replace function public.studio_read_published(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select versions.document from public.studio_published as versions
  where versions.workflow_id = p_workflow_id and versions.version = p_version;
$$;

select private.studio_grant_calls('public.studio_read_published(uuid, integer)', 'service_role');
