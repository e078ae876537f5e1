-- Secrets of publications that are stored unsealed, at most 100, of one store ('doors', 'failures', 'collectors'): [{ owner,
-- workflowId, kind, url, name, text }]. kind: of a door; url: of a collector; otherwise ''.
create or replace function public.studio_unsealed_secrets(p_store text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'owner', publications.owner, 'workflowId', found.workflow_id, 'kind', found.kind, 'url', found.url, 'name', found.name, 'text', found.text)), '[]')
  from (
    select stored.workflow_id, stored.kind, '' as url, entries.key as name, entries.value as text
    from private.studio_door_secrets as stored, jsonb_each_text(stored.secrets) as entries
    where p_store = 'doors' and entries.value !~ '^sealed\.'
    union all
    select stored.workflow_id, '', '', 'secret', stored.secret
    from private.studio_failure_secrets as stored where p_store = 'failures' and stored.secret !~ '^sealed\.'
    union all
    select stored.workflow_id, '', stored.url, entries.key, entries.value
    from private.studio_collectors as stored, jsonb_each_text(stored.headers) as entries
    where p_store = 'collectors' and entries.value !~ '^sealed\.'
    limit 100
  ) as found
  join public.studio_publications as publications on publications.workflow_id = found.workflow_id;
$$;

select private.studio_grant_calls('public.studio_unsealed_secrets(text)', 'service_role');
