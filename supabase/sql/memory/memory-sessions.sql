-- The conversations of one workflow and the shared ones, the latest used first. `bytes` counts the messages as JSON.
create or replace function public.studio_memory_sessions(p_workflow_id uuid)
returns table (workflow_id uuid, session_id text, messages bigint, bytes bigint, last_used_at timestamptz)
language sql stable security invoker set search_path = ''
as $$
  select kept.workflow_id, kept.session_id, kept.messages, kept.bytes, kept.last_used_at
  from public.studio_memory_conversations as kept
  where kept.owner = (select auth.uid()) and (kept.workflow_id = p_workflow_id or kept.workflow_id is null)
  order by kept.last_message desc;
$$;

select private.studio_grant_calls('public.studio_memory_sessions(uuid)', 'authenticated', 'service_role');
