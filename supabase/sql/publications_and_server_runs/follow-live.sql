-- Puts the triggers of a workflow in line with the version that is live. What a person switched off stays off.
create or replace function private.studio_follow_live(p_workflow_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  schedules jsonb;
  publication public.studio_publications%rowtype;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  select version.schedules into schedules from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.version = publication.live;
  schedules := coalesce(schedules, '[]'::jsonb);
  delete from public.studio_triggers as triggers
  where triggers.workflow_id = p_workflow_id
    and triggers.node_id not in (select one ->> 'nodeId' from jsonb_array_elements(schedules) as one);
  insert into public.studio_triggers as triggers (owner, workflow_id, node_id, kind, cron, time_zone, missed, input)
  select publication.owner, p_workflow_id, one ->> 'nodeId', 'schedule', one ->> 'cron', one ->> 'timeZone',
    one ->> 'missed', coalesce(one -> 'input', '{}'::jsonb)
  from jsonb_array_elements(schedules) as one
  on conflict (workflow_id, node_id) do update set
    next_at = case
      when triggers.cron = excluded.cron and triggers.time_zone = excluded.time_zone then triggers.next_at end,
    problem = null, cron = excluded.cron, time_zone = excluded.time_zone, missed = excluded.missed,
    input = excluded.input;
end;
$$;

select private.studio_grant_calls('private.studio_follow_live(uuid)');
