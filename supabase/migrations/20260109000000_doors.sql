-- Doors: how programs and people without an account of the studio reach a published workflow. The edge function `doors` answers
-- them with the service role; everything that it may do with the database is a function below.

-- One row for each kind of door of a publication. Owners read them; they are written by studio_save_door alone.
create table public.studio_doors (
  workflow_id uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('api', 'hook', 'chat', 'mcp')),
  enabled boolean not null default false,
  -- Its form is the kind's own: src/engine/doors.
  config jsonb not null default '{}'::jsonb
    check (jsonb_typeof(config) = 'object' and octet_length(config::text) <= 65536),
  -- Names of the secrets that are stored for it. Their values are in the private schema.
  secrets jsonb not null default '[]'::jsonb
    check (jsonb_typeof(secrets) = 'array' and octet_length(secrets::text) <= 4096),
  updated_at timestamptz not null default now(),
  primary key (workflow_id, kind),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_doors_of_publication on public.studio_doors (workflow_id, owner);
create index studio_doors_of_owner on public.studio_doors (owner);

-- { name: value } of each secret of a door. Written by studio_save_door, read by studio_read_door, shown to nobody.
create table private.studio_door_secrets (
  workflow_id uuid not null,
  kind text not null,
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object' and octet_length(secrets::text) <= 65536),
  primary key (workflow_id, kind),
  foreign key (workflow_id, kind) references public.studio_doors (workflow_id, kind) on delete cascade
);

-- Keys of programs. A key is shown once, when it is made; afterwards there is only its hash.
create table public.studio_api_keys (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- How the key begins, so that a person recognises it.
  prefix text not null check (char_length(prefix) <= 20),
  -- 'run:<slug>', 'run:*', 'runs:read', 'approve'
  scopes jsonb not null check (jsonb_typeof(scopes) = 'array' and octet_length(scopes::text) <= 8192),
  -- { origins: [text], perMinute, concurrent, dayUsd, monthUsd }: each absent for no limit.
  limits jsonb not null default '{}'::jsonb
    check (jsonb_typeof(limits) = 'object' and octet_length(limits::text) <= 8192),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index studio_api_keys_of_owner on public.studio_api_keys (owner, created_at desc);

-- SHA-256 in hex: enough for a key of 32 random bytes, which nobody can guess.
create table private.studio_api_key_hashes (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  key_id uuid not null unique references public.studio_api_keys (id) on delete cascade
);

-- Counters by the minute, by hash of what is limited: an address, a key, a publication.
create table private.studio_door_limits (
  key text primary key check (char_length(key) between 1 and 200),
  window_start timestamptz not null,
  used integer not null
);
create index studio_door_limits_oldest on private.studio_door_limits (window_start);

do $$
declare
  name text;
begin
  foreach name in array array['studio_doors', 'studio_api_keys'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on table public.%I from public, anon, authenticated', name);
    execute format('grant select on table public.%I to authenticated', name);
    execute format('grant all on table public.%I to service_role', name);
    execute format(
      'create policy %I on public.%I for select to authenticated using (owner = (select auth.uid()))',
      name || '_select', name);
  end loop;
  foreach name in array array['studio_door_secrets', 'studio_api_key_hashes', 'studio_door_limits'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on table private.%I from public, anon, authenticated, service_role', name);
  end loop;
end;
$$;

select private.studio_count_table('public.studio_doors', 'rows', 'octet_length(item.config::text)');
select private.studio_count_table('public.studio_api_keys', 'rows',
  'octet_length(item.scopes::text) + octet_length(item.limits::text)');

-- Whose key started a run, and for whom: a visitor or a program's user, within its publication.
alter table public.studio_runs
  add column api_key_id uuid references public.studio_api_keys (id) on delete set null,
  add column subject text check (char_length(subject) between 1 and 500);
create index studio_runs_of_api_key on public.studio_runs (api_key_id);

drop policy studio_runs_insert on public.studio_runs;
create policy studio_runs_insert on public.studio_runs for insert to authenticated with check (
  owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting')
  and published_version is null and trigger_id is null and idempotency_key is null and attempt = 0 and lost = 0
  and worker is null and lease_until is null and queued_at is null and cancel_requested_at is null
  and api_key_id is null and subject is null
);

-- What owners do --------------------------------------------------------------------------------------

-- Stores a door of the caller's publication. p_secrets: { name: value }, null for a value that is to be deleted; secrets that
-- are not named stay. Raises "not_published".
create function public.studio_save_door(
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
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  insert into public.studio_doors as doors (workflow_id, owner, kind, enabled, config)
  values (p_workflow_id, caller, p_kind, p_enabled, coalesce(p_config, '{}'::jsonb))
  on conflict (workflow_id, kind) do update set
    enabled = excluded.enabled, config = excluded.config, updated_at = now();
  if p_secrets is null then
    return;
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets)
  values (p_workflow_id, p_kind, jsonb_strip_nulls(p_secrets))
  on conflict (workflow_id, kind) do update set secrets = jsonb_strip_nulls(stored.secrets || p_secrets)
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name)
  where doors.workflow_id = p_workflow_id and doors.kind = p_kind and doors.owner = caller;
end;
$$;

-- Makes a key of the caller and gives { id, key }: the only time that the key is seen.
create function public.studio_make_api_key(
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
    raise exception 'too_many_keys' using errcode = '23514';
  end if;
  insert into public.studio_api_keys (owner, name, prefix, scopes, limits, expires_at)
  values (caller, p_name, left(secret, 9), p_scopes, coalesce(p_limits, '{}'::jsonb), p_expires_at)
  returning id into made;
  insert into private.studio_api_key_hashes (hash, key_id)
  values (encode(sha256(convert_to(secret, 'UTF8')), 'hex'), made);
  return jsonb_build_object('id', made, 'key', secret);
end;
$$;

-- Ends a key of the caller at once and for ever. What it started stays.
create function public.studio_revoke_api_key(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_api_keys as own set revoked_at = coalesce(own.revoked_at, now())
  where own.id = p_id and own.owner = caller;
  if not found then
    raise exception 'key_not_found' using errcode = 'P0002';
  end if;
  delete from private.studio_api_key_hashes as hashes where hashes.key_id = p_id;
end;
$$;

-- What doors do ---------------------------------------------------------------------------------------

-- Counts one call within a minute: { wait, remaining, reset }. `wait` is 0 when it is allowed, else the seconds until there is
-- room; a refused call is not counted.
create function public.studio_take_door_limit(p_key text, p_per_minute integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  counter private.studio_door_limits%rowtype;
  reset integer;
begin
  -- Whoever comes under ever new names leaves nothing behind.
  delete from private.studio_door_limits as old
  where old.key in (
    select oldest.key from private.studio_door_limits as oldest
    where oldest.window_start < moment - interval '2 minutes'
    order by oldest.window_start limit 5 for update skip locked
  );
  insert into private.studio_door_limits as counted (key, window_start, used) values (p_key, moment, 1)
  on conflict (key) do update set
    window_start =
      case when counted.window_start <= moment - interval '1 minute' then moment else counted.window_start end,
    used = case when counted.window_start <= moment - interval '1 minute' then 1 else counted.used + 1 end
  where counted.window_start <= moment - interval '1 minute' or counted.used < p_per_minute
  returning * into counter;
  if counter.key is not null then
    reset := greatest(1, ceil(extract(epoch from counter.window_start + interval '1 minute' - moment)));
    return jsonb_build_object('wait', 0, 'remaining', greatest(0, p_per_minute - counter.used), 'reset', reset);
  end if;
  select * into counter from private.studio_door_limits as counted where counted.key = p_key;
  reset := greatest(1, ceil(extract(epoch from counter.window_start + interval '1 minute' - moment)));
  return jsonb_build_object('wait', reset, 'remaining', 0, 'reset', reset);
end;
$$;

-- Whose key has this hash: { id, owner, scopes, limits, expired }; null where there is none. Notes that it was used.
create function public.studio_find_api_key(p_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  found_key public.studio_api_keys%rowtype;
begin
  select keys.* into found_key
  from private.studio_api_key_hashes as hashes join public.studio_api_keys as keys on keys.id = hashes.key_id
  where hashes.hash = p_hash and keys.revoked_at is null;
  if not found then
    return null;
  end if;
  if found_key.last_used_at is null or found_key.last_used_at < now() - interval '1 minute' then
    update public.studio_api_keys as keys set last_used_at = now() where keys.id = found_key.id;
  end if;
  return jsonb_build_object(
    'id', found_key.id, 'owner', found_key.owner, 'scopes', found_key.scopes, 'limits', found_key.limits,
    'expired', coalesce(found_key.expires_at <= now(), false));
end;
$$;

-- The publication that a slug or a workflow's id names, with one kind of its doors: { workflowId, owner, slug, name, live, staging,
-- enabled, config, secrets }; `enabled` null where the door was never set up. Null where nothing is published under it.
create function public.studio_read_door(p_publication text, p_kind text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'workflowId', publications.workflow_id, 'owner', publications.owner, 'slug', publications.slug,
    'name', workflows.name, 'live', publications.live, 'staging', publications.staging,
    'enabled', doors.enabled, 'config', coalesce(doors.config, '{}'::jsonb),
    'secrets', coalesce(stored.secrets, '{}'::jsonb))
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = p_kind
  left join private.studio_door_secrets as stored on stored.workflow_id = doors.workflow_id and stored.kind = doors.kind
  where publications.slug = p_publication or publications.workflow_id::text = p_publication;
$$;

-- The document of a published version; null where there is none.
create function public.studio_read_published(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select versions.document from public.studio_published as versions
  where versions.workflow_id = p_workflow_id and versions.version = p_version;
$$;

-- Starts a run for a door: { id, status, isNew }, or { problem, retryAfter? } with nothing started. Problems: 'not_published',
-- 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run do), 'spent' (the cap of a day or a
-- month is reached), 'key_reused' (the idempotency key belongs to another input). p_input: { value }.
create function public.studio_door_start(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text default null, p_trigger_id uuid default null,
  p_api_key_id uuid default null, p_subject text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  publication public.studio_publications%rowtype;
  key_limits jsonb;
  known record;
  taken jsonb;
  started jsonb;
  of_day numeric;
  of_month numeric;
begin
  -- Starts of one workflow come one after the other, so that no limit is passed by two at once.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if p_key is not null then
    select runs.id, runs.status, runs.input -> 'value' as input into known from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key;
    if found and known.input is distinct from p_input -> 'value' then
      return jsonb_build_object('problem', 'key_reused');
    end if;
    if found then
      return jsonb_build_object('id', known.id, 'status', known.status, 'isNew', false);
    end if;
  end if;
  if (
    select count(*) from public.studio_runs as waiting
    where waiting.status = 'queued' and waiting.workflow_id = p_workflow_id and waiting.attempt = 0
  ) >= greatest(20, coalesce(ceil((publication.limits ->> 'concurrent')::numeric)::integer, 20) * 5) then
    return jsonb_build_object('problem', 'busy', 'retryAfter', 5);
  end if;
  select keys.limits into key_limits from public.studio_api_keys as keys where keys.id = p_api_key_id;
  if key_limits -> 'concurrent' is not null then
    perform pg_advisory_xact_lock(hashtextextended('start ' || p_api_key_id::text, 0));
    if (
      select count(*) from public.studio_runs as open
      where open.api_key_id = p_api_key_id and open.status in ('queued', 'running')
    ) >= (key_limits ->> 'concurrent')::numeric then
      return jsonb_build_object('problem', 'busy', 'retryAfter', 2);
    end if;
  end if;
  if publication.limits ?| array['dayUsd', 'monthUsd'] then
    select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
    into of_day, of_month
    from private.studio_spending as spending
    where spending.workflow_id = p_workflow_id and spending.day >= date_trunc('month', today)::date;
    if of_day >= (publication.limits ->> 'dayUsd')::numeric or of_month >= (publication.limits ->> 'monthUsd')::numeric then
      return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
    end if;
  end if;
  if publication.limits -> 'perMinute' is not null then
    taken := public.studio_take_door_limit(
      'starts of ' || p_workflow_id, greatest(1, ceil((publication.limits ->> 'perMinute')::numeric)::integer));
    if (taken ->> 'wait')::integer > 0 then
      return jsonb_build_object('problem', 'rate_limit', 'retryAfter', taken -> 'wait');
    end if;
  end if;
  begin
    started := private.studio_queue_run(
      p_workflow_id, p_target, p_input -> 'value', p_source, p_key, p_trigger_id, null);
  exception when no_data_found then
    return jsonb_build_object('problem', 'not_published');
  end;
  update public.studio_runs as runs set api_key_id = p_api_key_id, subject = p_subject
  where runs.id = (started ->> 'id')::uuid and (started ->> 'created')::boolean;
  return jsonb_build_object('id', started -> 'id', 'status', started -> 'status', 'isNew', started -> 'created');
end;
$$;

-- A run and what it has recorded after p_after, at most p_limit events, as they were at one moment: { id, workflowId, owner, slug,
-- version, source, status, subject, keyId, startedAt, endedAt, events, hasMore, output?, error?, totalTokens?, costUsd?, usage? };
-- the last ones once it has ended. Null where there is no such run on a worker.
create function public.studio_door_follow(p_run_id uuid, p_after integer default -1, p_limit integer default 200)
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
      where events.run_id = runs.id and events.seq > p_after order by events.seq limit p_limit
    ) as page
  ) as log on true
  where runs.id = p_run_id and runs.source <> 'editor';
$$;

-- Asks for the end of a run; gives its status, or null where there is none. One that no worker has touched ends here and now.
create function public.studio_door_cancel(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.source <> 'editor' for update;
  if not found then
    return null;
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as runs set
    cancel_requested_at = coalesce(runs.cancel_requested_at, now()),
    status = case
      when runs.status = 'queued' and runs.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when runs.status = 'waiting' then 'queued'
      else runs.status end,
    queued_at = case when runs.status = 'waiting' then now() else runs.queued_at end,
    ended_at = case when runs.status = 'queued' and runs.attempt = 0 then now() end
  where runs.id = p_run_id
  returning runs.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_save_door(uuid, text, boolean, jsonb, jsonb)',
    'studio_make_api_key(text, jsonb, jsonb, timestamptz)',
    'studio_revoke_api_key(uuid)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_take_door_limit(text, integer)',
    'studio_find_api_key(text)',
    'studio_read_door(text, text)',
    'studio_read_published(uuid, integer)',
    'studio_door_start(uuid, text, jsonb, text, text, uuid, uuid, text)',
    'studio_door_follow(uuid, integer, integer)',
    'studio_door_cancel(uuid)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
