-- The ways in for programs and visitors: API keys, webhooks, chat pages, MCP.
set check_function_bodies = off;

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

select private.studio_grant_rows('public.studio_doors', 'select');

-- { name: value } of each secret of a door. Written by studio_save_door, read by studio_read_door, shown to nobody.
create table private.studio_door_secrets (
  workflow_id uuid not null,
  kind text not null,
  secrets jsonb not null check (jsonb_typeof(secrets) = 'object' and octet_length(secrets::text) <= 65536),
  primary key (workflow_id, kind),
  foreign key (workflow_id, kind) references public.studio_doors (workflow_id, kind) on delete cascade
);

select private.studio_grant_rows('private.studio_door_secrets');

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
  revoked_at timestamptz,
  allows_unknown_prices boolean not null default false
);

create index studio_api_keys_of_owner on public.studio_api_keys (owner, created_at desc);

select private.studio_grant_rows('public.studio_api_keys', 'select');

-- SHA-256 in hex: enough for a key of 32 random bytes, which nobody can guess.
create table private.studio_api_key_hashes (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  key_id uuid not null unique references public.studio_api_keys (id) on delete cascade
);

select private.studio_grant_rows('private.studio_api_key_hashes');

-- Counters by the minute, by hash of what is limited: an address, a key, a publication.
create table private.studio_door_limits (
  key text primary key check (char_length(key) between 1 and 200),
  window_start timestamptz not null,
  used integer not null
);

create index studio_door_limits_oldest on private.studio_door_limits (window_start);

select private.studio_grant_rows('private.studio_door_limits');

-- By day (UTC), with what calls under way may cost at most.
create table private.studio_key_spending (
  key_id uuid not null references public.studio_api_keys (id) on delete cascade,
  day date not null,
  usd numeric not null default 0,
  primary key (key_id, day)
);

select private.studio_grant_rows('private.studio_key_spending');

-- The last request that came to the test address of a webhook, for the canvas of its owner. It is kept for a week.
create table public.studio_hook_requests (
  workflow_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  request jsonb not null check (jsonb_typeof(request) = 'object' and octet_length(request::text) <= 4194304),
  received_at timestamptz not null default now(),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_hook_requests_of_publication on public.studio_hook_requests (workflow_id, owner);
create index studio_hook_requests_of_owner on public.studio_hook_requests (owner, received_at);

select private.studio_grant_rows('public.studio_hook_requests', 'select');

create table public.studio_chat_threads (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  subject text not null check (char_length(subject) between 1 and 300),
  title text not null check (char_length(title) between 1 and 80),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, owner),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_chat_threads_of_owner on public.studio_chat_threads (owner);
create index studio_chat_threads_of_subject on public.studio_chat_threads (workflow_id, owner, subject, updated_at desc);
create index studio_chat_threads_of_accounts on public.studio_chat_threads (subject) where subject like 'account %';

select private.studio_grant_rows('public.studio_chat_threads', 'select');

-- The runs that answer a conversation, and their ratings. Question and answer are those of the run.
create table public.studio_chat_turns (
  run_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  thread_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  rating text check (rating in ('up', 'down')),
  comment text not null default '' check (char_length(comment) <= 2000),
  rated_at timestamptz,
  foreign key (run_id) references public.studio_runs (id) on delete cascade,
  foreign key (thread_id, owner) references public.studio_chat_threads (id, owner) on delete cascade
);

create index studio_chat_turns_of_owner on public.studio_chat_turns (owner);
create index studio_chat_turns_of_thread on public.studio_chat_turns (thread_id, owner, at);
create index studio_chat_turns_rated on public.studio_chat_turns (owner, rated_at desc) where rating is not null;

select private.studio_grant_rows('public.studio_chat_turns', 'select');

create table private.studio_chat_sessions (
  -- SHA-256 of the token, in hex. The token itself is with the visitor alone.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  subject text not null check (char_length(subject) between 1 and 300),
  -- Of the access that it was opened under: another password or another kind of access ends it.
  access_hash text not null,
  -- SHA-256 of what the browser keeps for this page, in hex; null where it keeps nothing.
  browser_hash text check (browser_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null
);

create index studio_chat_sessions_of_browser on private.studio_chat_sessions (browser_hash);
create index studio_chat_sessions_of_workflow on private.studio_chat_sessions (workflow_id);
create index studio_chat_sessions_by_end on private.studio_chat_sessions (expires_at);
-- Whoever signs in to a chat page with an account of the studio is named in rows of the page's owner.
create index studio_chat_sessions_of_subject on private.studio_chat_sessions (subject);

select private.studio_grant_rows('private.studio_chat_sessions');

-- How many messages a publication has taken on a day, in UTC.
create table private.studio_chat_days (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  day date not null,
  messages integer not null,
  primary key (workflow_id, day)
);

select private.studio_grant_rows('private.studio_chat_days');

-- By day (UTC). Messages count for the publication, bytes for all publications of the owner.
create table private.studio_sender_days (
  owner uuid not null references auth.users (id) on delete cascade,
  -- 'key <id>', 'visitor <hash>' or 'network <hash>'
  sender text not null check (char_length(sender) between 1 and 200),
  day date not null,
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  messages integer not null default 0,
  -- Of inputs, as JSON.
  bytes bigint not null default 0,
  primary key (owner, sender, day, workflow_id)
);

create index studio_sender_days_of_workflow on private.studio_sender_days (workflow_id);
create index studio_sender_days_oldest on private.studio_sender_days (day);

select private.studio_grant_rows('private.studio_sender_days');

-- Of what owners have been told that it is nearly used up; each once.
create table private.studio_near_told (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  key text not null check (char_length(key) <= 255),
  at timestamptz not null default now(),
  primary key (workflow_id, key)
);

select private.studio_grant_rows('private.studio_near_told');

-- References from tables that come before.
alter table public.studio_runs add constraint studio_runs_api_key_id_fkey foreign key (api_key_id) references public.studio_api_keys (id) on delete set null;

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

select private.studio_grant_calls('public.studio_make_api_key(text, jsonb, jsonb, timestamp with time zone)', 'authenticated', 'service_role');

-- Ends a key of the caller at once and for ever. What it started stays.
create or replace function public.studio_revoke_api_key(p_id uuid) returns void
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

select private.studio_grant_calls('public.studio_revoke_api_key(uuid)', 'authenticated', 'service_role');

-- Counts one call within a minute: { wait, remaining, reset }. `wait` is 0 when it is allowed, else the seconds until there is
-- room; a refused call is not counted.
create or replace function public.studio_take_door_limit(p_key text, p_per_minute integer) returns jsonb
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

select private.studio_grant_calls('public.studio_take_door_limit(text, integer)', 'service_role');

-- Whose key has this hash: { id, owner, scopes, limits, expired }; null where there is none. Notes that it was used.
create or replace function public.studio_find_api_key(p_hash text) returns jsonb
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

select private.studio_grant_calls('public.studio_find_api_key(text)', 'service_role');

-- The publication that a slug or a workflow's id names, with its limits and one kind of its doors: { workflowId, owner, slug,
-- name, live, staging, limits, enabled, config, secrets }; `enabled` null where the door was never set up. Null where nothing is
-- published under it.
create or replace function public.studio_read_door(p_publication text, p_kind text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'workflowId', publications.workflow_id, 'owner', publications.owner, 'slug', publications.slug,
    'name', workflows.name, 'live', publications.live, 'staging', publications.staging, 'limits', publications.limits,
    'enabled', doors.enabled, 'config', coalesce(doors.config, '{}'::jsonb),
    'secrets', coalesce(stored.secrets, '{}'::jsonb))
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = p_kind
  left join private.studio_door_secrets as stored on stored.workflow_id = doors.workflow_id and stored.kind = doors.kind
  where publications.slug = p_publication or publications.workflow_id::text = p_publication;
$$;

select private.studio_grant_calls('public.studio_read_door(text, text)', 'service_role');

-- The document of a published version; null where there is none.
create or replace function public.studio_read_published(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select versions.document from public.studio_published as versions
  where versions.workflow_id = p_workflow_id and versions.version = p_version;
$$;

select private.studio_grant_calls('public.studio_read_published(uuid, integer)', 'service_role');

-- Starts a run for a door, within what the key may spend: { id, status, isNew }, or { problem, retryAfter? } with nothing
-- started. Problems: 'not_published', 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run
-- do), 'spent' (the cap of a day or a month is reached), 'key_reused' (the idempotency key belongs to another input).
-- p_input: { value }.
create or replace function public.studio_door_start(
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
  if private.studio_key_cap(p_api_key_id, 0) is not null then
    return jsonb_build_object('problem', 'spent', 'retryAfter', tomorrow);
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

select private.studio_grant_calls('public.studio_door_start(uuid, text, jsonb, text, text, uuid, uuid, text)', 'service_role');

-- A run and what it has recorded after p_after, at most p_limit events, as they were at one moment: { id, workflowId, owner, slug,
-- version, source, status, subject, keyId, startedAt, endedAt, events, hasMore, output?, error?, totalTokens?, costUsd?, usage? };
-- the last ones once it has ended. Null where there is no such run on a worker.
create or replace function public.studio_door_follow(p_run_id uuid, p_after integer default -1, p_limit integer default 200)
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

select private.studio_grant_calls('public.studio_door_follow(uuid, integer, integer)', 'service_role');

-- Asks for the end of a run; gives its status, or null where there is none. One that no worker has touched ends here and now.
create or replace function public.studio_door_cancel(p_run_id uuid) returns text
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

select private.studio_grant_calls('public.studio_door_cancel(uuid)', 'service_role');

-- Which cap of a key is reached ('keyDay', 'keyMonth'): spending of the cap and p_beyond more. Null for none, and for no key.
create or replace function private.studio_key_cap(p_key_id uuid, p_beyond numeric) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  key_limits jsonb;
  of_day numeric;
  of_month numeric;
begin
  select keys.limits into key_limits from public.studio_api_keys as keys where keys.id = p_key_id;
  if not found or not key_limits ?| array['dayUsd', 'monthUsd'] then
    return null;
  end if;
  select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
  into of_day, of_month
  from private.studio_key_spending as spending
  where spending.key_id = p_key_id and spending.day >= date_trunc('month', today)::date;
  return case
    when of_day >= (key_limits ->> 'dayUsd')::numeric + p_beyond then 'keyDay'
    when of_month >= (key_limits ->> 'monthUsd')::numeric + p_beyond then 'keyMonth'
  end;
end;
$$;

select private.studio_grant_calls('private.studio_key_cap(uuid, numeric)');

-- What each key of the caller spent today and this month (UTC), with calls under way, and how many of its runs are kept.
create or replace function public.studio_api_key_use() returns table (id uuid, day_usd numeric, month_usd numeric, runs bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  today constant date := (now() at time zone 'utc')::date;
begin
  return query
    select own.id,
      coalesce((
        select spending.usd from private.studio_key_spending as spending
        where spending.key_id = own.id and spending.day = today), 0),
      coalesce((
        select sum(spending.usd) from private.studio_key_spending as spending
        where spending.key_id = own.id and spending.day >= date_trunc('month', today)::date), 0),
      (select count(*) from public.studio_runs as started where started.owner = caller and started.api_key_id = own.id)
    from public.studio_api_keys as own
    where own.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_api_key_use()', 'authenticated', 'service_role');

-- The live publications of an account whose door for programs is not closed: [{ workflowId, slug, name, live, publishedAt }].
create or replace function public.studio_door_publications(p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'workflowId', publications.workflow_id, 'slug', publications.slug, 'name', workflows.name, 'live', publications.live,
    'publishedAt', extract(epoch from versions.published_at)::bigint) order by publications.slug), '[]'::jsonb)
  from public.studio_publications as publications
  join public.studio_workflows as workflows on workflows.id = publications.workflow_id and workflows.deleted_at is null
  join public.studio_published as versions
    on versions.workflow_id = publications.workflow_id and versions.version = publications.live
  left join public.studio_doors as doors on doors.workflow_id = publications.workflow_id and doors.kind = 'api'
  where publications.owner = p_owner and coalesce(doors.enabled, true);
$$;

select private.studio_grant_calls('public.studio_door_publications(uuid)', 'service_role');

-- What a run asks and nobody has answered yet: [{ callId, kind, question, expiresAt }].
create or replace function public.studio_door_questions(p_run_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'callId', waits.call_id, 'kind', waits.kind, 'question', waits.question, 'expiresAt', waits.expires_at)
    order by waits.asked_at), '[]'::jsonb)
  from public.studio_run_waits as waits
  where waits.run_id = p_run_id and waits.decision is null and waits.kind <> 'time';
$$;

select private.studio_grant_calls('public.studio_door_questions(uuid)', 'service_role');

-- Decides what a run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired', 'over' or 'unknown'.
create or replace function public.studio_door_decide(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  wait public.studio_run_waits%rowtype;
  run_status text;
begin
  select runs.status into run_status from public.studio_runs as runs where runs.id = p_run_id for update;
  if run_status is null or run_status not in ('queued', 'running', 'waiting') then
    return case when run_status is null then 'unknown' else 'over' end;
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.kind <> 'time' for update;
  if not found then
    return 'unknown';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
  end if;
  if wait.expires_at <= now() then
    return 'expired';
  end if;
  update public.studio_run_waits as waits set decision = p_decision - 'expired', decided_at = now()
  where waits.run_id = p_run_id and waits.call_id = p_call_id;
  update public.studio_runs as runs set status = 'queued', queued_at = now()
  where runs.id = p_run_id and runs.status = 'waiting';
  perform private.studio_wake_workers();
  return 'decided';
end;
$$;

select private.studio_grant_calls('public.studio_door_decide(uuid, text, jsonb)', 'service_role');

-- Keeps a request as the last one of a publication's webhook.
create or replace function public.studio_keep_hook_request(p_workflow_id uuid, p_request jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
begin
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if of_owner is null then
    return;
  end if;
  delete from public.studio_hook_requests as old
  where old.owner = of_owner and old.received_at < now() - interval '7 days';
  insert into public.studio_hook_requests as kept (workflow_id, owner, request) values (p_workflow_id, of_owner, p_request)
  on conflict (workflow_id) do update set request = excluded.request, received_at = now();
end;
$$;

select private.studio_grant_calls('public.studio_keep_hook_request(uuid, jsonb)', 'service_role');

-- The nodes of a published version that matter to its webhook: { triggers: [id], responds: [id] }; null where there is no such
-- version.
create or replace function public.studio_hook_nodes(p_workflow_id uuid, p_version integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'triggers', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'webhook-trigger'), '[]'),
    'responds', coalesce(jsonb_agg(node.key) filter (where node.value ->> 'type' = 'respond'), '[]'))
  from public.studio_published as versions
  left join lateral jsonb_each(versions.document -> 'nodes') as node
    on node.value ->> 'type' in ('webhook-trigger', 'respond') and not coalesce((node.value -> 'disabled')::boolean, false)
  where versions.workflow_id = p_workflow_id and versions.version = p_version
  group by versions.version;
$$;

select private.studio_grant_calls('public.studio_hook_nodes(uuid, integer)', 'service_role');

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

create or replace function public.studio_chat_open(
  p_workflow_id uuid, p_subject text, p_hash text, p_access_hash text, p_browser_hash text, p_seconds integer
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as old
  where old.hash in (
    select ended.hash from private.studio_chat_sessions as ended
    where ended.expires_at < now() order by ended.expires_at limit 20 for update skip locked
  );
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  values (p_hash, p_workflow_id, p_subject, p_access_hash, p_browser_hash, now() + make_interval(secs => p_seconds));
end;
$$;

select private.studio_grant_calls('public.studio_chat_open(uuid, text, text, text, text, integer)', 'service_role');

-- Whose session it is; null where there is none that holds for this publication and its access.
create or replace function public.studio_chat_subject(p_workflow_id uuid, p_hash text, p_access_hash text) returns text
language sql stable security definer set search_path = ''
as $$
  select sessions.subject from private.studio_chat_sessions as sessions
  where sessions.hash = p_hash and sessions.workflow_id = p_workflow_id and sessions.access_hash = p_access_hash
    and sessions.expires_at > now();
$$;

select private.studio_grant_calls('public.studio_chat_subject(uuid, text, text)', 'service_role');

-- Opens another session of whom a browser's last one was, which ends with that one; false where there is none that holds.
create or replace function public.studio_chat_resume(p_workflow_id uuid, p_browser_hash text, p_access_hash text, p_hash text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, browser_hash, expires_at)
  select p_hash, last.workflow_id, last.subject, last.access_hash, last.browser_hash, last.expires_at
  from private.studio_chat_sessions as last
  where last.browser_hash = p_browser_hash and last.workflow_id = p_workflow_id and last.access_hash = p_access_hash
    and last.expires_at > now()
  order by last.expires_at desc limit 1;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_chat_resume(uuid, text, text, text)', 'service_role');

-- Ends a session, and with it those of the same browser.
create or replace function public.studio_chat_leave(p_workflow_id uuid, p_hash text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_chat_sessions as gone
  where gone.workflow_id = p_workflow_id and (
    gone.hash = p_hash
    or gone.browser_hash = (select own.browser_hash from private.studio_chat_sessions as own where own.hash = p_hash)
  );
end;
$$;

select private.studio_grant_calls('public.studio_chat_leave(uuid, text)', 'service_role');

-- The subject's conversations, the latest first: [{ id, title, at }].
create or replace function public.studio_chat_threads_of(p_workflow_id uuid, p_subject text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'title', latest.title, 'at', round(extract(epoch from latest.updated_at) * 1000))
    order by latest.updated_at desc), '[]'::jsonb)
  from (
    select threads.id, threads.title, threads.updated_at from public.studio_chat_threads as threads
    where threads.workflow_id = p_workflow_id and threads.subject = p_subject
    order by threads.updated_at desc limit 100
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_chat_threads_of(uuid, text)', 'service_role');

-- The last turns of a conversation of the subject, the oldest first: [{ runId, input, output, status, hasEnding, rating, comment }];
-- null where it is not theirs. Large pictures are left out.
create or replace function public.studio_chat_turns_of(p_workflow_id uuid, p_subject text, p_thread_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select (
    select coalesce(jsonb_agg(jsonb_build_object(
      'runId', latest.run_id, 'status', runs.status, 'output', runs.output -> 'value',
      'input', case when octet_length(runs.input::text) < 400000 then runs.input -> 'value'
        else (runs.input -> 'value') - 'images' end,
      'hasEnding', runs.ending is not null, 'rating', latest.rating, 'comment', latest.comment) order by latest.at), '[]'::jsonb)
    from (
      select turns.run_id, turns.at, turns.rating, turns.comment from public.studio_chat_turns as turns
      where turns.thread_id = threads.id order by turns.at desc limit 50
    ) as latest
    join public.studio_runs as runs on runs.id = latest.run_id
  )
  from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

select private.studio_grant_calls('public.studio_chat_turns_of(uuid, text, uuid)', 'service_role');

-- Forgets a conversation of the subject, and what agents remember of it. Its runs stay in their owner's history.
create or replace function public.studio_chat_delete(p_workflow_id uuid, p_subject text, p_thread_id uuid, p_session_id text)
returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  gone public.studio_chat_threads%rowtype;
begin
  delete from public.studio_chat_threads as threads
  where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject
  returning * into gone;
  if not found then
    return false;
  end if;
  delete from public.studio_agent_memory as memory
  where memory.owner = gone.owner and memory.session_id = p_session_id
    and (memory.workflow_id = gone.workflow_id or memory.workflow_id is null);
  return true;
end;
$$;

select private.studio_grant_calls('public.studio_chat_delete(uuid, text, uuid, text)', 'service_role');

-- Whether a run answers the subject.
create or replace function public.studio_chat_owns(p_workflow_id uuid, p_subject text, p_run_id uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select turns.thread_id from public.studio_chat_turns as turns
  join public.studio_chat_threads as threads on threads.id = turns.thread_id
  where turns.run_id = p_run_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
$$;

select private.studio_grant_calls('public.studio_chat_owns(uuid, text, uuid)', 'service_role');

-- Keeps what the subject thinks of an answer; false where it is not theirs.
create or replace function public.studio_chat_rate(
  p_workflow_id uuid, p_subject text, p_run_id uuid, p_rating text, p_comment text
) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.studio_chat_turns as turns set rating = p_rating, comment = p_comment, rated_at = now()
  from public.studio_chat_threads as threads
  where turns.run_id = p_run_id and threads.id = turns.thread_id
    and threads.workflow_id = p_workflow_id and threads.subject = p_subject;
  return found;
end;
$$;

select private.studio_grant_calls('public.studio_chat_rate(uuid, text, uuid, text, text)', 'service_role');

-- Takes a message: { runId, threadId, isNew }, or { problem, retryAfter? } with nothing started, counted or kept. Without a
-- conversation it begins one. p_session_prefix: what an agent remembers the conversation under, its id follows. Problems are those
-- of studio_door_start, and 'closed' (the day's messages are used up), 'no_thread' (the conversation is not the subject's) and
-- 'waiting' (answers to this subject are still on their way).
create or replace function public.studio_chat_start(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  known record;
  publication public.studio_publications%rowtype;
  thread uuid;
  used integer;
  started jsonb;
  problem jsonb;
begin
  -- The same order as in studio_door_start, which takes it again.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select turns.run_id, turns.thread_id into known
  from public.studio_runs as runs
  join public.studio_chat_turns as turns on turns.run_id = runs.id
  join public.studio_chat_threads as threads on threads.id = turns.thread_id
  where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key and threads.subject = p_subject;
  if found then
    return jsonb_build_object('runId', known.run_id, 'threadId', known.thread_id, 'isNew', false);
  end if;
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found or publication.live is null then
    return jsonb_build_object('problem', 'not_published');
  end if;
  if (
    select count(*) from public.studio_runs as open
    where open.workflow_id = p_workflow_id and open.subject = p_subject and open.status in ('queued', 'running')
  ) >= 2 then
    return jsonb_build_object('problem', 'waiting', 'retryAfter', 3);
  end if;
  begin
    insert into private.studio_chat_days as days (workflow_id, day, messages) values (p_workflow_id, today, 1)
    on conflict (workflow_id, day) do update set messages = days.messages + 1
    returning days.messages into used;
    if used > p_per_day then
      problem := jsonb_build_object('problem', 'closed', 'retryAfter', tomorrow);
      raise exception 'refused' using errcode = 'P0001';
    end if;
    if p_thread_id is null then
      insert into public.studio_chat_threads (owner, workflow_id, subject, title)
      values (publication.owner, p_workflow_id, p_subject, left(p_input ->> 'message', 80))
      returning id into thread;
    else
      update public.studio_chat_threads as threads set updated_at = now()
      where threads.id = p_thread_id and threads.workflow_id = p_workflow_id and threads.subject = p_subject
      returning threads.id into thread;
    end if;
    if thread is null then
      problem := jsonb_build_object('problem', 'no_thread');
      raise exception 'refused' using errcode = 'P0001';
    end if;
    started := public.studio_door_start(
      p_workflow_id, 'live',
      jsonb_build_object('value', p_input || jsonb_build_object('sessionId', p_session_prefix || thread::text)),
      'chat', p_key, null, null, p_subject);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
    insert into public.studio_chat_turns (run_id, owner, thread_id)
    values ((started ->> 'id')::uuid, publication.owner, thread);
    delete from private.studio_chat_days as days where days.workflow_id = p_workflow_id and days.day < today;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  return jsonb_build_object('runId', started -> 'id', 'threadId', thread, 'isNew', true);
end;
$$;

select private.studio_grant_calls('public.studio_chat_start(uuid, text, uuid, text, jsonb, text, integer)', 'service_role');

-- The publications of an owner whose MCP door is open and that have a live version, as studio_read_door gives them.
create or replace function public.studio_mcp_doors(p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(open.door order by open.slug), '[]'::jsonb)
  from (
    select publications.slug, public.studio_read_door(publications.workflow_id::text, 'mcp') as door
    from public.studio_publications as publications
    join public.studio_doors as doors
      on doors.workflow_id = publications.workflow_id and doors.kind = 'mcp' and doors.enabled
    where publications.owner = p_owner and publications.live is not null
    order by publications.slug
    limit 200
  ) as open
  where open.door is not null;
$$;

select private.studio_grant_calls('public.studio_mcp_doors(uuid)', 'service_role');

-- The run that an API key of this owner started under an idempotency key; null where there is none.
create or replace function public.studio_door_run_of_key(p_owner uuid, p_api_key_id uuid, p_key text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select runs.id
  from public.studio_publications as publications
  join public.studio_runs as runs on runs.workflow_id = publications.workflow_id and runs.idempotency_key = p_key
  where publications.owner = p_owner and runs.api_key_id = p_api_key_id
  limit 1;
$$;

select private.studio_grant_calls('public.studio_door_run_of_key(uuid, uuid, text)', 'service_role');

-- Tells the owner of a publication that four fifths of something are used up: by its notice and as failures are told. p_key says
-- of what, each of which is told once.
create or replace function private.studio_tell_near(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_near_told (workflow_id, key) values (p_workflow_id, p_key) on conflict do nothing;
  if not found then
    return;
  end if;
  delete from private.studio_near_told as old
  where old.workflow_id = p_workflow_id and old.at < now() - interval '40 days';
  update public.studio_publications as own set
    share_notice = jsonb_build_object(
      'text', p_what -> 'message', 'at', round(extract(epoch from clock_timestamp()) * 1000))
  where own.workflow_id = p_workflow_id;
  perform private.studio_tell_failure(p_workflow_id, p_key, p_what);
end;
$$;

select private.studio_grant_calls('private.studio_tell_near(uuid, text, jsonb)');

-- Counts one message of p_bytes for each of its senders, or says why not and counts none: null, or { problem: 'share', sender,
-- unit, retryAfter }. p_senders: [{ kind, name, messages, bytes }] with what each may send in a day. The caller holds the lock of
-- the publication's starts.
create or replace function private.studio_take_shares(p_workflow_id uuid, p_owner uuid, p_senders jsonb, p_bytes bigint) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  tomorrow constant integer := ceil(extract(epoch from (today + 1)::timestamp at time zone 'utc' - now()));
  share record;
  used record;
  who text;
begin
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages + 1 > share.messages or used.bytes + p_bytes > share.bytes then
      return jsonb_build_object(
        'problem', 'share', 'sender', share.kind, 'retryAfter', tomorrow,
        'unit', case when used.messages + 1 > share.messages then 'messages' else 'bytes' end);
    end if;
  end loop;
  for share in
    select given.kind, given.kind || ' ' || given.name as name, given.name as bare, given.messages, given.bytes
    from jsonb_to_recordset(p_senders) as given (kind text, name text, messages bigint, bytes bigint)
  loop
    insert into private.studio_sender_days as days (owner, sender, day, workflow_id, messages, bytes)
    values (p_owner, share.name, today, p_workflow_id, 1, p_bytes)
    on conflict (owner, sender, day, workflow_id) do update set
      messages = days.messages + 1, bytes = days.bytes + excluded.bytes;
    select coalesce(sum(days.messages) filter (where days.workflow_id = p_workflow_id), 0) as messages,
      coalesce(sum(days.bytes), 0) as bytes
    into used
    from private.studio_sender_days as days
    where days.owner = p_owner and days.sender = share.name and days.day = today;
    if used.messages < 0.8 * share.messages and used.bytes < 0.8 * share.bytes then
      continue;
    end if;
    who := case share.kind
      when 'key' then coalesce(
        (select format('The API key “%s”', keys.name) from public.studio_api_keys as keys where keys.id::text = share.bare),
        'An API key')
      when 'visitor' then 'One visitor'
      else 'One network' end;
    if used.messages >= 0.8 * share.messages and used.messages - 1 < 0.8 * share.messages then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' messages ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the messages that one sender may send today.',
        'sender', share.kind, 'messages', used.messages, 'of', share.messages));
    end if;
    if used.bytes >= 0.8 * share.bytes and used.bytes - p_bytes < 0.8 * share.bytes then
      perform private.studio_tell_near(p_workflow_id, 'share ' || today || ' bytes ' || md5(share.name), jsonb_build_object(
        'kind', 'share-near', 'message', who || ' has used four fifths of the data that one sender may send today.',
        'sender', share.kind, 'bytes', used.bytes, 'of', share.bytes));
    end if;
  end loop;
  delete from private.studio_sender_days as old
  where old.ctid in (
    select oldest.ctid from private.studio_sender_days as oldest
    where oldest.day < today order by oldest.day limit 20 for update skip locked
  );
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_take_shares(uuid, uuid, jsonb, bigint)');

-- Tells the owner of a publication once a month that four fifths of their storage are used.
create or replace function private.studio_tell_full(p_workflow_id uuid, p_owner uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  used bigint;
  allowed bigint;
begin
  select usage.bytes, quotas.most into used, allowed
  from private.studio_usage as usage join private.studio_quotas as quotas on quotas.kind = 'bytes'
  where usage.owner = p_owner;
  if used >= 0.8 * allowed then
    perform private.studio_tell_near(
      p_workflow_id, 'storage ' || to_char(now() at time zone 'utc', 'YYYY-MM'), jsonb_build_object(
        'kind', 'storage-near', 'message', 'Four fifths of your account’s storage are used. When it is full, no more runs start.',
        'bytes', used, 'of', allowed));
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_tell_full(uuid, uuid)');

-- Starts a run for a door as studio_door_start does, within the shares of its senders: also { problem: 'share', sender, unit,
-- retryAfter }. p_bytes: of the input. What comes again under a known key is not counted again.
create or replace function public.studio_door_begin(
  p_workflow_id uuid, p_target text, p_input jsonb, p_source text, p_key text, p_trigger_id uuid, p_api_key_id uuid,
  p_subject text, p_senders jsonb, p_bytes bigint
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  of_owner uuid;
  problem jsonb;
  started jsonb;
begin
  -- The same order as in studio_door_start, which takes it again.
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_door_start(
      p_workflow_id, p_target, p_input, p_source, p_key, p_trigger_id, p_api_key_id, p_subject);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_door_begin(uuid, text, jsonb, text, text, uuid, uuid, text, jsonb, bigint)', 'service_role');

-- Takes a message as studio_chat_start does, within the shares of its senders: also { problem: 'share', … } as above. Tells the
-- owner when four fifths of the page's day are used.
create or replace function public.studio_chat_begin(
  p_workflow_id uuid, p_subject text, p_thread_id uuid, p_key text, p_input jsonb, p_session_prefix text, p_per_day integer,
  p_senders jsonb, p_bytes bigint
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  of_owner uuid;
  problem jsonb;
  started jsonb;
  taken integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('start ' || p_workflow_id::text, 0));
  select publications.owner into of_owner from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  begin
    if of_owner is not null and not exists (
      select 1 from public.studio_runs as runs where runs.workflow_id = p_workflow_id and runs.idempotency_key = p_key
    ) then
      problem := private.studio_take_shares(p_workflow_id, of_owner, p_senders, p_bytes);
      if problem is not null then
        return problem;
      end if;
    end if;
    started := public.studio_chat_start(
      p_workflow_id, p_subject, p_thread_id, p_key, p_input, p_session_prefix, p_per_day);
    if started ? 'problem' then
      problem := started;
      raise exception 'refused' using errcode = 'P0001';
    end if;
  exception when raise_exception then
    if problem is null then
      raise;
    end if;
    return problem;
  end;
  if (started ->> 'isNew')::boolean then
    select days.messages into taken from private.studio_chat_days as days
    where days.workflow_id = p_workflow_id and days.day = today;
    if taken >= 0.8 * p_per_day and taken - 1 < 0.8 * p_per_day then
      perform private.studio_tell_near(p_workflow_id, 'chat day ' || today, jsonb_build_object(
        'kind', 'share-near', 'message', 'Visitors have sent four fifths of the messages that the chat page takes in a day.',
        'sender', 'all', 'messages', taken, 'of', p_per_day));
    end if;
  end if;
  perform private.studio_tell_full(p_workflow_id, of_owner);
  return started;
end;
$$;

select private.studio_grant_calls('public.studio_chat_begin(uuid, text, uuid, text, jsonb, text, integer, jsonb, bigint)', 'service_role');

select private.studio_count_table('public.studio_doors', 'rows', 'octet_length(item.config::text)');
select private.studio_count_table('public.studio_api_keys', 'rows',
  'octet_length(item.scopes::text) + octet_length(item.limits::text)');
select private.studio_count_table('public.studio_hook_requests', 'rows', 'octet_length(item.request::text)');
select private.studio_count_table('public.studio_chat_threads', 'rows',
  'octet_length(item.subject) + octet_length(item.title)');
select private.studio_count_table('public.studio_chat_turns', 'rows', 'octet_length(item.comment)');

reset check_function_bodies;
