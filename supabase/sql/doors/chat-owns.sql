-- Whether a run answers the subject.
create or replace function public.studio_chat_owns(p_workflow_id uuid, p_subject text, p_run_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select turns.thread_id from public.studio_chat_turns as turns
  join public.studio_chat_threads as threads on threads.id = turns.thread_id
  where turns.run_id = p_run_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

select private.studio_grant_calls('public.studio_chat_owns(uuid, text, uuid)', 'service_role');
