-- Subject: doors
set check_function_bodies = off;

-- Deliveries of webhooks that have started a run, so that none starts another one when it comes again.
create table private.studio_hook_deliveries (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- SHA-256, in hex, of what tells deliveries apart: a number, or the signature.
  key text not null check (key ~ '^[0-9a-f]{64}$'),
  -- SHA-256, in hex, of what came with a number; null where the key covers that, and where it is not known.
  body text check (body ~ '^[0-9a-f]{64}$'),
  -- Known for 24 hours, or as long as the secret with which it was signed.
  lasts text not null check (lasts in ('day', 'secret')),
  -- The run may be gone.
  run_id uuid not null,
  came_at timestamptz not null default now(),
  primary key (workflow_id, key)
);

create index studio_hook_deliveries_ended on private.studio_hook_deliveries (workflow_id, lasts, came_at);

select private.studio_grant_rows('private.studio_hook_deliveries');

-- Since when a webhook has its secrets; null where that is not known.
alter table private.studio_door_secrets add column current_since timestamptz, add column previous_since timestamptz;

-- What came in the last 24 hours was known by its run.
insert into private.studio_hook_deliveries (workflow_id, key, lasts, run_id, came_at)
select runs.workflow_id, substr(runs.idempotency_key, 6), 'day', runs.id, runs.started_at
from public.studio_runs as runs
join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
where runs.source = 'webhook' and runs.idempotency_key ~ '^hook [0-9a-f]{64}$' and runs.started_at > now() - interval '24 hours';

drop function public.studio_hook_delivery(uuid, text, jsonb);

-- Gives the caller's webhook a new secret. With p_keep_previous, what was signed with the old one is taken too, until the name
-- "previous" is deleted by studio_save_door. Raises "door_not_found".
create or replace function public.studio_renew_hook_secret(p_workflow_id uuid, p_secret text, p_keep_previous boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if p_secret is null or char_length(p_secret) not between 8 and 500 then
    raise exception 'bad_secret' using errcode = '22023';
  end if;
  perform 1 from public.studio_doors as own
  where own.workflow_id = p_workflow_id and own.kind = 'hook' and own.owner = caller for update;
  if not found then
    raise exception 'door_not_found' using errcode = 'P0002';
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets, current_since)
  values (p_workflow_id, 'hook', jsonb_build_object('current', p_secret), now())
  on conflict (workflow_id, kind) do update set
    current_since = now(), previous_since = stored.current_since,
    secrets = (stored.secrets - 'previous')
      || case when p_keep_previous and stored.secrets ? 'current'
        then jsonb_build_object('previous', stored.secrets -> 'current') else '{}'::jsonb end
      || excluded.secrets
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name),
    updated_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook' and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_renew_hook_secret(uuid, text, boolean)', 'authenticated', 'service_role');

-- Starts a run for a delivery of a webhook as studio_door_begin does, unless the delivery is known: then { id, status, isNew: false,
-- isSame }, with status null where its run is gone. p_delivery: { key, body, lasts }. key: SHA-256, in hex, of what tells deliveries
-- apart. body: of what came with it, null where the key covers that; isSame says whether it came before. lasts: 'secret' for what is
-- known as long as a secret that its sender signed with, 'day' for what is known for 24 hours.
create or replace function public.studio_hook_begin(
  p_workflow_id uuid, p_delivery jsonb, p_input jsonb, p_senders jsonb, p_bytes bigint
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
    p_workflow_id, 'live', p_input, 'webhook', null, null, null, null, p_senders, p_bytes);
  if started ? 'id' then
    insert into private.studio_hook_deliveries as deliveries (workflow_id, key, body, lasts, run_id)
    values (p_workflow_id, p_delivery ->> 'key', p_delivery ->> 'body', p_delivery ->> 'lasts', (started ->> 'id')::uuid)
    on conflict (workflow_id, key) do update set
      body = excluded.body, lasts = excluded.lasts, run_id = excluded.run_id, came_at = now();
  end if;
  return started || '{"isSame": true}';
end;
$$;

select private.studio_grant_calls('public.studio_hook_begin(uuid, jsonb, jsonb, jsonb, bigint)', 'service_role');
