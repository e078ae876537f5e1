-- Forgets a conversation of the subject, and what agents remember of it. Its runs stay in their owner's history.
create or replace function public.studio_chat_delete(p_workflow_id uuid, p_subject text, p_thread_id uuid, p_session_id text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  gone public.studio_chat_threads%rowtype;
begin
  delete from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject
  returning * into gone;
  if not found then
    return false;
  end if;
  delete from public.studio_agent_memory as memory
  where memory.owner = gone.owner and memory.session_id = p_session_id
    and (memory.workflow_id = gone.workflow_id or memory.workflow_id is null);
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_chat_delete(uuid, text, uuid, text)', 'service_role');
