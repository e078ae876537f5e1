-- A notice of an account that has not been sent: { workflowId, url, body, secret }; null where there is none.
create or replace function public.studio_read_notice(p_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('workflowId', notices.workflow_id, 'url', notices.url, 'body', notices.body, 'secret', stored.secret)
  from private.studio_notices as notices
  left join private.studio_failure_secrets as stored on stored.workflow_id = notices.workflow_id
  where notices.id = p_id and notices.owner = p_owner and notices.next_at is not null;
$$;

select private.studio_grant_calls('public.studio_read_notice(uuid, uuid)', 'service_role');
