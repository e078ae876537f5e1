-- Starts the run of one time of a trigger (p_slot null: none) and says when the next is. The time is the run's key, so that it
-- starts once, however many workers there are. p_problem: why the trigger cannot run, in words. Stores which time was left
-- out: one that had come, and for which no run starts.
create or replace function private.studio_fire_trigger(
  p_trigger_id uuid, p_slot timestamptz, p_next_at timestamptz, p_problem text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  due public.studio_triggers%rowtype;
  started jsonb;
  reason text;
begin
  perform private.studio_limit_waiting();
  update public.studio_triggers as triggers set
    skipped_at = case
      when p_slot is null and p_problem is null and triggers.next_at <= now() then triggers.next_at
      else triggers.skipped_at
    end,
    next_at = p_next_at, problem = p_problem
  where triggers.id = p_trigger_id
  returning * into due;
  if not found or p_slot is null then
    return null;
  end if;
  begin
    started := private.studio_queue_run(
      due.workflow_id, 'live',
      due.input || jsonb_build_object('scheduledAt', to_char(p_slot at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
      'schedule', 'schedule ' || due.node_id || ' ' || extract(epoch from p_slot)::bigint, due.id, null);
  exception
    when lock_not_available or deadlock_detected or serialization_failure then
      raise;
    when others then
      reason := private.studio_reason(sqlstate, sqlerrm);
  end;
  update public.studio_triggers as triggers set
    last_at = case when reason is null then p_slot else triggers.last_at end,
    start_problem = reason,
    refused_at = case when reason is null then null else p_slot end
  where triggers.id = p_trigger_id;
  if reason is not null and due.start_problem is distinct from reason then
    perform private.studio_tell_failure(
      due.workflow_id, 'start ' || due.id || ' ' || extract(epoch from p_slot)::bigint, jsonb_build_object(
        'kind', 'run-not-started', 'message', reason,
        'trigger', jsonb_build_object('id', due.id, 'nodeId', due.node_id, 'cron', due.cron)));
  end if;
  return (started ->> 'id')::uuid;
end;
$$;

select private.studio_grant_calls('private.studio_fire_trigger(uuid, timestamp with time zone, timestamp with time zone, text)', 'studio_worker');
