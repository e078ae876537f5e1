-- Queues a run of the version that p_target ('live', 'staging', or a version's number) names, and gives { id, status, created }.
-- The same key of the same workflow gives the run that it started first. Raises "not_published".
create or replace function private.studio_queue_run(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_forked_from jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  wanted integer;
  known record;
  started uuid;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  wanted := case
    when p_target = 'live' then publication.live
    when p_target = 'staging' then publication.staging
    when p_target ~ '^[0-9]{1,9}$' then p_target::integer
  end;
  if wanted is null or not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = wanted
  ) then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_runs
    (owner, workflow_id, status, input, source, published_version, trigger_id, idempotency_key, forked_from, queued_at)
  values (
    publication.owner, p_workflow_id, 'queued', jsonb_build_object('value', coalesce(p_input, '{}'::jsonb)), p_source,
    wanted, p_trigger_id, p_key, p_forked_from, now()
  )
  on conflict (workflow_id, idempotency_key) where idempotency_key is not null do nothing
  returning id into started;
  if started is null then
    select runs.id, runs.status into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    return jsonb_build_object('id', known.id, 'status', known.status, 'created', false);
  end if;
  perform private.studio_wake_workers();
  return jsonb_build_object('id', started, 'status', 'queued', 'created', true);
end;
$$;

select private.studio_grant_calls('private.studio_queue_run(uuid, text, jsonb, text, text, uuid, jsonb)');
