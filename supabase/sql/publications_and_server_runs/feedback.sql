-- What visitors of the caller's publication thought of answers, the latest first: [{ runId, at, rating, comment, input }].
create or replace function public.studio_feedback(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'runId', latest.run_id, 'at', latest.rated_at, 'rating', latest.rating, 'comment', latest.comment,
    -- One by one: there are few, and a join would read all runs.
    'input', (select public.studio_run_input_words(runs.input) from public.studio_runs as runs where runs.id = latest.run_id))
    order by latest.rated_at desc), '[]'::jsonb)
  from (
    select turns.run_id, turns.rated_at, turns.rating, turns.comment
    from public.studio_chat_turns as turns
    -- Looked up one by one, whatever the planner believes: a database that is never analysed would join the other way round.
    where turns.owner = (select auth.uid()) and turns.rating is not null and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads where threads.id = turns.thread_id
      )
      and (p_before is null or turns.rated_at < p_before)
    order by turns.rated_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_feedback(uuid, timestamp with time zone, integer)', 'authenticated', 'service_role');
