-- Failed runs of the caller's publication on workers, the latest first: [{ id, startedAt, endedAt, source, version, error, input }].
create or replace function public.studio_failed_runs(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'startedAt', latest.started_at, 'endedAt', latest.ended_at, 'source', latest.source,
    'version', latest.published_version, 'error', latest.error, 'input', public.studio_run_input_words(latest.input))
    order by latest.started_at desc), '[]'::jsonb)
  from (
    select runs.* from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.status = 'failed' and runs.source <> 'editor'
      and runs.owner = (select auth.uid()) and (p_before is null or runs.started_at < p_before)
    order by runs.started_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_failed_runs(uuid, timestamp with time zone, integer)', 'authenticated', 'service_role');
