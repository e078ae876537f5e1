-- Keeps what the subject thinks of an answer; false where it is not theirs.
create or replace function public.studio_chat_rate(
  p_workflow_id uuid, p_subject text, p_run_id uuid, p_rating text, p_comment text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_chat_turns as turns set rating = p_rating, comment = p_comment, rated_at = now()
  from public.studio_chat_threads as threads
  where turns.run_id = p_run_id and threads.id = turns.thread_id
    and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_chat_rate(uuid, text, uuid, text, text)', 'service_role');
