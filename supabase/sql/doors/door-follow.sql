-- A run and what it has recorded after p_after, at most p_limit events, as they were at one moment: { id, workflowId, owner, slug,
-- version, source, status, subject, keyId, startedAt, endedAt, events, hasMore, output?, error?, totalTokens?, costUsd?, usage? };
-- the last ones once it has ended. Null where there is no such run on a worker.
create or replace function public.studio_door_follow(p_run_id uuid, p_after integer default -1, p_limit integer default 200)
returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
      'id', runs.id, 'workflowId', runs.workflow_id, 'owner', runs.owner, 'slug', publications.slug,
      'version', runs.published_version, 'source', runs.source, 'status', runs.status, 'subject', runs.subject,
      'keyId', runs.api_key_id, 'startedAt', runs.started_at, 'endedAt', runs.ended_at,
      'events', coalesce(log.events, '[]'::jsonb),
      'hasMore', coalesce(jsonb_array_length(log.events), 0) = p_limit)
    || case when runs.status in ('completed', 'failed', 'cancelled', 'interrupted') then jsonb_build_object(
      'output', runs.output -> 'value', 'error', runs.error, 'totalTokens', runs.total_tokens,
      'costUsd', runs.cost_usd, 'usage', runs.usage) else '{}'::jsonb end
  from public.studio_runs as runs
  join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
  left join lateral (
    select jsonb_agg(page.event order by page.seq) as events
    from (
      select events.seq, events.event from public.studio_run_events as events
      where events.run_id = runs.id and events.run_added_at = runs.added_at and events.seq > p_after order by events.seq limit p_limit
    ) as page
  ) as log on true
  where runs.id = p_run_id and runs.source <> 'editor';
$$;

select private.studio_grant_calls('public.studio_door_follow(uuid, integer, integer)', 'service_role');
