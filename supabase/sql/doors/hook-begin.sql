-- Starts a run for a delivery of a webhook as studio_door_begin does, unless the delivery is known: then { id, status, isNew: false,
-- isSame }, with status null where its run is gone. p_delivery: { key, body, lasts }. key: SHA-256, in hex, of what tells deliveries
-- apart. body: of what came with it, null where the key covers that; isSame says whether it came before. lasts: 'secret' for what is
-- known as long as a secret that its sender signed with, 'day' for what is known for 24 hours.
-- p_files: what came with it, which the run is given.
create or replace function public.studio_hook_begin(
  p_workflow_id uuid, p_delivery jsonb, p_input jsonb, p_senders jsonb, p_bytes bigint, p_files uuid[] default '{}'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  yesterday constant timestamptz := now() - interval '24 hours';
  secrets_since timestamptz;
  known record;
  started jsonb;
begin
  -- The same order as in studio_door_start: what comes twice at one moment is known the second time.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select deliveries.run_id, deliveries.body, runs.status into known
  from private.studio_hook_deliveries as deliveries
  left join public.studio_runs as runs on runs.id = deliveries.run_id
  where deliveries.workflow_id = p_workflow_id and deliveries.key = p_delivery ->> 'key' and (
    deliveries.lasts = 'secret' or deliveries.came_at >= yesterday or runs.status in ('queued', 'running', 'waiting'));
  if found then
    return jsonb_build_object('id', known.run_id, 'status', known.status, 'isNew', false,
      'isSame', known.body is null or known.body is not distinct from p_delivery ->> 'body');
  end if;
  -- A key of a signature holds the secret, so that one of a secret that is gone matches nothing.
  select case when stored.secrets ? 'previous' then stored.previous_since else stored.current_since end into secrets_since
  from private.studio_door_secrets as stored where stored.workflow_id = p_workflow_id and stored.kind = 'hook';
  delete from private.studio_hook_deliveries as old
  where (old.workflow_id, old.key) in (
    select ended.workflow_id, ended.key from private.studio_hook_deliveries as ended
    where ended.workflow_id = p_workflow_id and (
      (ended.lasts = 'day' and ended.came_at < yesterday) or (ended.lasts = 'secret' and ended.came_at < secrets_since))
    limit 100
  );
  started := public.studio_door_begin(
    p_workflow_id, 'live', p_input, 'webhook', null, null, null, null, p_senders, p_bytes, p_files);
  if started ? 'id' then
    insert into private.studio_hook_deliveries as deliveries (workflow_id, key, body, lasts, run_id)
    values (p_workflow_id, p_delivery ->> 'key', p_delivery ->> 'body', p_delivery ->> 'lasts', (started ->> 'id')::uuid)
    on conflict (workflow_id, key) do update set
      body = excluded.body, lasts = excluded.lasts, run_id = excluded.run_id, came_at = now();
  end if;
  return started || '{"isSame": true}';
end;
$$;

select private.studio_grant_calls('public.studio_hook_begin(uuid, jsonb, jsonb, jsonb, bigint, uuid[])', 'service_role');
