-- As before, with what a list says about runs on the server: who started them, which version, which attempt, which worker.
drop function public.studio_find_runs(jsonb, integer, jsonb);

create function public.studio_find_runs(p_filter jsonb, p_limit integer, p_after jsonb)
returns table (
  id uuid, workflow_id uuid, workflow_name text, status text, input jsonb, output jsonb, error jsonb,
  total_tokens integer, cost_usd numeric, started_at timestamptz, ended_at timestamptz, forked_from jsonb,
  ending jsonb, source text, published_version integer, trigger_id uuid, attempt integer, worker text,
  queued_at timestamptz, cancel_requested_at timestamptz
)
language sql stable security invoker set search_path = ''
as $$
  select runs.id, runs.workflow_id, workflows.name, runs.status, public.studio_run_input_words(runs.input), null::jsonb,
    runs.error, runs.total_tokens, runs.cost_usd, runs.started_at, runs.ended_at, runs.forked_from,
    runs.ending, runs.source, runs.published_version, runs.trigger_id, runs.attempt, runs.worker,
    runs.queued_at, runs.cancel_requested_at
  from public.studio_runs as runs
  join public.studio_workflows as workflows on workflows.id = runs.workflow_id
  where runs.owner = (select auth.uid())
    and (p_filter ->> 'workflowId' is null or runs.workflow_id = (p_filter ->> 'workflowId')::uuid)
    and (p_filter -> 'statuses' is null or (p_filter -> 'statuses') ? runs.status)
    and (p_filter -> 'sources' is null or (p_filter -> 'sources') ? runs.source)
    and (p_filter ->> 'from' is null or runs.started_at >= (p_filter ->> 'from')::timestamptz)
    and (p_filter ->> 'to' is null or runs.started_at < (p_filter ->> 'to')::timestamptz)
    -- As the text stands inside JSON: quotes and line breaks escaped, without the quotes around it.
    and (
      p_filter ->> 'text' is null
      or position(lower(substring((p_filter -> 'text')::text from 2 for length((p_filter -> 'text')::text) - 2))
        in lower(runs.input::text)) > 0
    )
    and (
      p_after is null
      or (runs.started_at, runs.id) < ((p_after ->> 'startedAt')::timestamptz, (p_after ->> 'id')::uuid)
    )
  order by runs.started_at desc, runs.id desc
  limit p_limit;
$$;

revoke all on function public.studio_find_runs(jsonb, integer, jsonb) from public, anon;
grant execute on function public.studio_find_runs(jsonb, integer, jsonb) to authenticated, service_role;
