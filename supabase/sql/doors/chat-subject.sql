-- Whose session it is; null where there is none that holds for this publication and its access.
create or replace function public.studio_chat_subject(p_workflow_id uuid, p_hash text, p_access_hash text) returns text
language sql stable security definer set search_path = ''
as $$
  select sessions.subject from private.studio_chat_sessions as sessions
  where sessions.hash = p_hash and sessions.workflow_id = p_workflow_id and sessions.access_hash = p_access_hash
    and sessions.expires_at > now();
$$;

select private.studio_grant_calls('public.studio_chat_subject(uuid, text, text)', 'service_role');
