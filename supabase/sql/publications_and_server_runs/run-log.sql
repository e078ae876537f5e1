-- A part of a run's log, in order. p_source is the run itself, or another run of the same owner whose recording it goes along.
create or replace function private.studio_run_log(p_run_id uuid, p_source uuid, p_from integer, p_limit integer)
returns table (event jsonb)
language sql stable security definer set search_path = ''
as $$
  select events.event from public.studio_run_events as events
  where events.run_id = p_source and events.seq >= p_from
    and events.run_added_at = (select source.added_at from public.studio_runs as source where source.id = p_source)
    and events.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id)
  order by events.seq
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_run_log(uuid, uuid, integer, integer)', 'studio_worker');
