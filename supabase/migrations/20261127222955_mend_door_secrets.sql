-- Puts a sealed secret in the place of the same one unsealed, if it is still there; see studio_unsealed_secrets. p_kind: of a door; for a
-- collector its URL, to which the sealed text is bound.
create or replace function public.studio_seal_secret(
  p_store text, p_workflow_id uuid, p_kind text, p_name text, p_unsealed text, p_sealed text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  case p_store
    when 'doors' then
      -- While one secret replaces another, this one may have become the previous one.
      update private.studio_door_secrets as stored set secrets = (
        select jsonb_object_agg(entries.key, case
          when entries.value = to_jsonb(p_unsealed) and (entries.key = p_name or (entries.key = 'previous' and p_name = 'current'))
          then to_jsonb(p_sealed) else entries.value end)
        from jsonb_each(stored.secrets) as entries)
      where stored.workflow_id = p_workflow_id and stored.kind = p_kind and stored.secrets <> '{}';
    when 'failures' then
      update private.studio_failure_secrets as stored set secret = p_sealed
      where stored.workflow_id = p_workflow_id and stored.secret = p_unsealed;
    when 'collectors' then
      update private.studio_collectors as stored set headers = jsonb_set(stored.headers, array[p_name], to_jsonb(p_sealed))
      where stored.workflow_id = p_workflow_id and stored.url = p_kind and stored.headers ->> p_name = p_unsealed;
  end case;
end;
$$;

select private.studio_grant_calls('public.studio_seal_secret(text, uuid, text, text, text, text)', 'service_role');

-- For functions of the release before studio_hook_begin, which run until they are deployed; goes with the next release.
-- The run that a delivery started within the last 24 hours: { id, status, same }; null for none. `same`: it came with this body.
-- p_body: { value }.
-- An older one gives its key back, so that the delivery starts a run again.
create or replace function public.studio_hook_delivery(p_workflow_id uuid, p_key text, p_body jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  known record;
begin
  select runs.id, runs.status, runs.started_at, runs.input #> '{value,body}' as body into known
  from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
  if not found then
    return null;
  end if;
  if known.started_at < now() - interval '24 hours' and known.status not in ('queued', 'running', 'waiting') then
    update public.studio_runs as runs set idempotency_key = null where runs.id = known.id;
    return null;
  end if;
  return jsonb_build_object('id', known.id, 'status', known.status, 'same', known.body is not distinct from p_body -> 'value');
end;
$$;

select private.studio_grant_calls('public.studio_hook_delivery(uuid, text, jsonb)', 'service_role');

-- Stores a door of the caller's publication. p_secrets: { name: value }, null for a value that is to be deleted; secrets that
-- are not named stay. Raises "not_published".
create or replace function public.studio_save_door(
  p_workflow_id uuid, p_kind text, p_enabled boolean, p_config jsonb, p_secrets jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  perform 1 from public.studio_publications as own
  where own.workflow_id = p_workflow_id and own.owner = caller for update;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_doors as doors (workflow_id, owner, kind, enabled, config)
  values (p_workflow_id, caller, p_kind, p_enabled, coalesce(p_config, '{}'::jsonb))
  on conflict (workflow_id, kind) do update set
    enabled = excluded.enabled, config = excluded.config, updated_at = now();
  if p_secrets is null then
    return;
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets, current_since)
  values (p_workflow_id, p_kind, jsonb_strip_nulls(p_secrets), case when p_secrets ? 'current' then now() end)
  on conflict (workflow_id, kind) do update set
    secrets = jsonb_strip_nulls(stored.secrets || p_secrets),
    current_since = coalesce(excluded.current_since, stored.current_since)
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name)
  where doors.workflow_id = p_workflow_id and doors.kind = p_kind and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_save_door(uuid, text, boolean, jsonb, jsonb)', 'authenticated', 'service_role');
