-- The last turns of a conversation of the subject, the oldest first: [{ runId, input, output, status, hasEnding, rating, comment }];
-- null where it is not theirs. Large pictures are left out.
create or replace function public.studio_chat_turns_of(p_workflow_id uuid, p_subject text, p_thread_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(jsonb_agg(jsonb_build_object(
      'runId', latest.run_id, 'status', runs.status, 'output', runs.output -> 'value',
      'input', case when octet_length(runs.input::text) < 400000 then runs.input -> 'value'
        else (runs.input -> 'value') - 'images' end,
      'hasEnding', runs.ending is not null, 'rating', latest.rating, 'comment', latest.comment) order by latest.at), '[]'::jsonb)
    from (
      select turns.run_id, turns.at, turns.rating, turns.comment from public.studio_chat_turns as turns
      where turns.thread_id = threads.id order by turns.at desc limit 50
    ) as latest
    join public.studio_runs as runs on runs.id = latest.run_id
  )
  from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

select private.studio_grant_calls('public.studio_chat_turns_of(uuid, text, uuid)', 'service_role');
