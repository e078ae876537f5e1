-- Where an account's traces go: { url, headers, content }; null where no collector is named.
create or replace function public.studio_read_collector(p_workflow_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('url', collectors.url, 'headers', collectors.headers, 'content', collectors.content)
  from private.studio_collectors as collectors
  join public.studio_publications as publications on publications.workflow_id = collectors.workflow_id
  where collectors.workflow_id = p_workflow_id and publications.owner = p_owner;
$$;

select private.studio_grant_calls('public.studio_read_collector(uuid, uuid)', 'service_role');
