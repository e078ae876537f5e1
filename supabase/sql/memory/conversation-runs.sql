-- The last 200 runs of a conversation of the caller that have ended, the oldest first. Very large outputs are left out.
create or replace function public.studio_conversation_runs(p_workflow_id uuid, p_session_id text)
returns table (
  id uuid, status text, started_at timestamptz, question text, output jsonb, error jsonb, is_remembered boolean
)
language sql stable security invoker set search_path = ''
as $$
  select latest.id, latest.status, latest.started_at, latest.question, latest.output, latest.error,
    -- Of a completed run it is not asked.
    latest.status = 'completed' or exists (
      select 1 from public.studio_run_events as events
      where events.run_id = latest.id and events.run_added_at = latest.added_at and events.type = 'memory-save' and not events.event ? 'parentCallId'
    )
  from (
    select runs.id, runs.added_at, runs.status, runs.started_at, runs.error,
      case when jsonb_typeof(runs.input -> 'value' -> 'message') = 'string' then runs.input -> 'value' ->> 'message' end as question,
      case when octet_length(runs.output::text) < 200000 then runs.output -> 'value' end as output
    from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id
      and left(runs.input -> 'value' ->> 'sessionId', 200) = left(p_session_id, 200)
      and runs.input -> 'value' ->> 'sessionId' = p_session_id
      and runs.status in ('completed', 'failed', 'cancelled', 'interrupted')
      and not runs.is_trial and runs.forked_from is null
    order by runs.started_at desc limit 200
  ) as latest
  order by latest.started_at;
$$;

select private.studio_grant_calls('public.studio_conversation_runs(uuid, text)', 'authenticated', 'service_role');
