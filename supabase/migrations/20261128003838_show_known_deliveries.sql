-- Subject: doors
set check_function_bodies = off;

-- Deliveries of a webhook that came again and started nothing, and when the last one was noted; see studio_note_known_deliveries.
alter table public.studio_doors
  add column known_deliveries integer not null default 0 check (known_deliveries >= 0),
  add column known_delivery_at timestamptz;

-- Adds deliveries that came again and started nothing to what the owner of a webhook sees. Counting begins anew after a week without one.
create or replace function public.studio_note_known_deliveries(p_workflow_id uuid, p_count integer) returns void
language sql security definer set search_path = ''
as $$
  update public.studio_doors as doors set
    known_deliveries = least(1000000000, greatest(p_count, 0)::bigint
      + case when doors.known_delivery_at > now() - interval '7 days' then doors.known_deliveries else 0 end),
    known_delivery_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook';
$$;

select private.studio_grant_calls('public.studio_note_known_deliveries(uuid, integer)', 'service_role');

-- Refuses limits of a publication or a key by which the database could not count: raises what they have to be.
create or replace function private.studio_check_limits(p_limits jsonb) returns void
language plpgsql immutable set search_path = ''
as $$
declare
  wrong text;
begin
  if jsonb_typeof(p_limits) <> 'object' then
    raise exception 'The limits have to be an object.' using errcode = '22023';
  end if;
  select each_one.key into wrong from jsonb_each(p_limits) as each_one
  where each_one.key in ('runUsd', 'dayUsd', 'monthUsd', 'concurrent', 'perMinute') and case jsonb_typeof(each_one.value)
    when 'number' then (each_one.value #>> '{}')::numeric not between 0 and 1000000000000 else true end
  limit 1;
  if wrong is not null then
    raise exception 'The limit % has to be a number from 0 to a trillion.', wrong using errcode = '22023';
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_check_limits(jsonb)');

-- Stores a door of the caller's publication. p_secrets: { name: value }, null for a value that is to be deleted; secrets that
-- are not named stay. Raises "not_published", and for settings of another form what they have to be.
create or replace function public.studio_save_door(
  p_workflow_id uuid, p_kind text, p_enabled boolean, p_config jsonb, p_secrets jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if jsonb_typeof(coalesce(p_config, '{}'::jsonb)) <> 'object' then
    raise exception 'The settings have to be an object.' using errcode = '22023';
  end if;
  if jsonb_typeof(p_secrets) not in ('object', 'null')
    or exists (select from jsonb_each(case jsonb_typeof(p_secrets) when 'object' then p_secrets end) as each_one
      where jsonb_typeof(each_one.value) not in ('string', 'null')) then
    raise exception 'The secrets have to be an object of texts, or null for one that is to be deleted.' using errcode = '22023';
  end if;
  perform 1 from public.studio_publications as own
  where own.workflow_id = p_workflow_id and own.owner = caller for update;
  if not found then
    raise exception 'not_published' using errcode = 'PT404';
  end if;
  insert into public.studio_doors as doors (workflow_id, owner, kind, enabled, config)
  values (p_workflow_id, caller, p_kind, p_enabled, coalesce(p_config, '{}'::jsonb))
  on conflict (workflow_id, kind) do update set
    enabled = excluded.enabled, config = excluded.config, updated_at = now();
  if p_secrets is null or p_secrets = 'null'::jsonb then
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

-- Makes a key of the caller and gives { id, key }: the only time that the key is seen.
create or replace function public.studio_make_api_key(
  p_name text, p_scopes jsonb, p_limits jsonb, p_expires_at timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  -- 32 bytes out of 366 random bits.
  secret constant text := 'sy_' || translate(
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64'),
    '+/=', '-_');
  made uuid;
begin
  if caller is null then
    raise exception 'not_signed_in' using errcode = '42501';
  end if;
  if (select count(*) from public.studio_api_keys as own where own.owner = caller and own.revoked_at is null) >= 200 then
    raise exception 'too_many_keys' using errcode = 'PT400';
  end if;
  perform private.studio_check_limits(p_limits);
  insert into public.studio_api_keys (owner, name, prefix, scopes, limits, expires_at)
  values (caller, p_name, left(secret, 9), p_scopes, coalesce(p_limits, '{}'::jsonb), p_expires_at)
  returning id into made;
  insert into private.studio_api_key_hashes (hash, key_id)
  values (encode(sha256(convert_to(secret, 'UTF8')), 'hex'), made);
  return jsonb_build_object('id', made, 'key', secret);
end;
$$;

select private.studio_grant_calls('public.studio_make_api_key(text, jsonb, jsonb, timestamp with time zone)', 'authenticated', 'service_role');

-- Changes what a publication may take and who is told when it fails. Raises what limits have to be.
create or replace function public.studio_set_publication(p_workflow_id uuid, p_limits jsonb, p_on_failure jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform private.studio_check_limits(p_limits);
  update public.studio_publications as own set
    limits = coalesce(p_limits, '{}'::jsonb), on_failure = p_on_failure, updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'PT404';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_publication(uuid, jsonb, jsonb)', 'authenticated', 'service_role');
