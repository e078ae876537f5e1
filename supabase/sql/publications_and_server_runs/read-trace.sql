-- What a run's trace is made of, as it is stored: { events, titles }, the titles of its nodes by id; null for a run of which no trace
-- waits. Streamed pieces are left out, and without p_content what was said.
create or replace function public.studio_read_trace(p_run_id uuid, p_workflow_id uuid, p_owner uuid, p_content boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(
        case when p_content then events.event
          when events.type = 'model-response' then events.event - array['message', 'input', 'output', 'text']
          else events.event - array['messages', 'tools', 'input', 'output', 'text', 'data', 'preview'] end
        order by events.seq), '[]'::jsonb)
      from (
        select stored.seq, stored.type, stored.event from public.studio_run_events as stored
        where stored.run_id = runs.id and stored.run_added_at = runs.added_at and stored.type not in ('text-delta', 'reasoning-delta')
        order by stored.seq limit 20000
      ) as events
    ),
    'titles', (
      select coalesce(jsonb_object_agg(nodes.key, nodes.value ->> 'title'), '{}'::jsonb)
      from public.studio_published as versions, jsonb_each(versions.document -> 'nodes') as nodes
      where versions.workflow_id = runs.workflow_id and versions.version = runs.published_version
    )
  )
  from public.studio_runs as runs
  join private.studio_trace_exports as exports on exports.run_id = runs.id
  where runs.id = p_run_id and runs.workflow_id = p_workflow_id and runs.owner = p_owner;
$$;

select private.studio_grant_calls('public.studio_read_trace(uuid, uuid, uuid, boolean)', 'service_role');
