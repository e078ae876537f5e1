-- Published versions, and their runs on workers. A row of studio_runs is the queue, its events are the checkpoint, and a lease
-- says whose it is: one worker at a time writes a run, under the number of its attempt.
set check_function_bodies = off;

create table public.studio_publications (
  workflow_id uuid primary key,
  owner uuid not null references auth.users (id) on delete cascade,
  -- What programs and addresses call it. Unique in the whole studio, since addresses carry no owner.
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$'),
  live integer,
  staging integer,
  -- { concurrent, perMinute, timeoutSeconds, runUsd, dayUsd, monthUsd }: each a number, or absent for no limit.
  limits jsonb not null default '{}'::jsonb
    check (jsonb_typeof(limits) = 'object' and octet_length(limits::text) <= 4096),
  -- Who is told of a failure: { workflowId?, url? }.
  on_failure jsonb check (jsonb_typeof(on_failure) = 'object' and octet_length(on_failure::text) <= 4096),
  updated_at timestamptz not null default now(),
  -- Why the workflow that should be told of failures could not be started; null when it could.
  on_failure_problem text check (char_length(on_failure_problem) <= 1000),
  -- What its owner was told last about a share or a limit that is nearly used up: { text, at }, `at` in milliseconds.
  share_notice jsonb check (jsonb_typeof(share_notice) = 'object' and octet_length(share_notice::text) <= 4096),
  -- The models that its spending limits do not count, as the last run found them: [text]; null for none.
  unknown_prices jsonb check (jsonb_typeof(unknown_prices) = 'array' and octet_length(unknown_prices::text) <= 8192),
  unique (workflow_id, owner),
  foreign key (workflow_id, owner) references public.studio_workflows (id, owner) on delete cascade
);

create index studio_publications_of_owner on public.studio_publications (owner);

select private.studio_grant_rows('public.studio_publications', 'select');

create table public.studio_published (
  workflow_id uuid not null,
  owner uuid not null references auth.users (id) on delete cascade,
  -- Counts from 1.
  version integer not null check (version >= 1),
  document jsonb not null
    check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 5242880),
  -- The other workflows that it runs, as they were: { id: document }.
  workflows jsonb not null default '{}'::jsonb
    check (jsonb_typeof(workflows) = 'object' and octet_length(workflows::text) <= 20971520),
  -- SHA-256 of both, in hex: the same text is the same version.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- The schedule triggers in it: [{ nodeId, cron, timeZone, missed, input }].
  schedules jsonb not null default '[]'::jsonb
    check (jsonb_typeof(schedules) = 'array' and octet_length(schedules::text) <= 262144),
  note text not null default '' check (char_length(note) <= 2000),
  -- The revision of the workflow that was published; null where it came from a file.
  revision integer,
  published_at timestamptz not null default now(),
  suites jsonb not null default '[]'::jsonb
    check (jsonb_typeof(suites) = 'array' and octet_length(suites::text) <= 1048576),
  -- From now on a model without a known price is not called under a spending limit. Versions that were published before, and keys
  -- that were made before, go on as they did until something new is published or limited.
  allows_unknown_prices boolean not null default false,
  -- Versions published before this are run as they were: only chat pages tell their visitors from the owner.
  marks_callers boolean not null default true,
  primary key (workflow_id, version),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_published_of_owner on public.studio_published (owner);
-- Foreign keys that led no index: deleting a parent would read the whole table.
create index studio_published_of_publication on public.studio_published (workflow_id, owner);

select private.studio_grant_rows('public.studio_published', 'select');

-- When a workflow starts by itself. Rows follow the version that is live; a person can only switch them.
create table public.studio_triggers (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null,
  -- The trigger's node in the document.
  node_id text not null check (char_length(node_id) between 1 and 200),
  kind text not null check (kind in ('schedule')),
  -- Five fields: minute, hour, day of the month, month, day of the week.
  cron text not null check (char_length(cron) between 1 and 200),
  -- An IANA name, such as Europe/Berlin.
  time_zone text not null check (char_length(time_zone) between 1 and 100),
  -- What becomes of times at which no worker was there: none of them runs, or one run stands for all.
  missed text not null check (missed in ('skip', 'once')),
  input jsonb not null default '{}'::jsonb check (octet_length(input::text) <= 65536),
  enabled boolean not null default true,
  -- The time that comes next; null until a worker has worked it out.
  next_at timestamptz,
  last_at timestamptz,
  -- Why it cannot run, in words; null when it can.
  problem text check (char_length(problem) <= 1000),
  -- The time that was left out last, since no worker was there when it came.
  skipped_at timestamptz,
  -- Why the latest run of a schedule could not be started, in words, and the time that it was for; null once one was. The schedule
  -- itself goes on.
  start_problem text check (char_length(start_problem) <= 1000),
  refused_at timestamptz,
  unique (workflow_id, node_id),
  foreign key (workflow_id, owner) references public.studio_publications (workflow_id, owner) on delete cascade
);

create index studio_triggers_due on public.studio_triggers (next_at) where enabled;
create index studio_triggers_of_owner on public.studio_triggers (owner);
create index studio_triggers_of_publication on public.studio_triggers (workflow_id, owner);

select private.studio_grant_rows('public.studio_triggers', 'select');

create table public.studio_run_waits (
  run_id uuid not null,
  -- The tool call, or the place in the run, that goes on with the decision.
  call_id text not null check (char_length(call_id) between 1 and 300),
  owner uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('approval', 'form', 'time')),
  -- What is asked: { nodeId, toolNodeId?, toolName?, input?, preview?, untrusted?, … }.
  question jsonb not null check (jsonb_typeof(question) = 'object' and octet_length(question::text) <= 1048576),
  asked_at timestamptz not null default now(),
  -- When nobody is waited for any longer; for 'time', when it goes on.
  expires_at timestamptz,
  -- What was decided: { approved, input?, reason?, expired? }.
  decision jsonb check (jsonb_typeof(decision) = 'object' and octet_length(decision::text) <= 1048576),
  decided_at timestamptz,
  primary key (run_id, call_id),
  foreign key (run_id, owner) references public.studio_runs (id, owner) on delete cascade
);

create index studio_run_waits_open on public.studio_run_waits (owner, asked_at desc) where decision is null;
create index studio_run_waits_expiry on public.studio_run_waits (expires_at) where decision is null;
create index studio_run_waits_of_run on public.studio_run_waits (run_id, owner);
create index studio_run_waits_of_owner on public.studio_run_waits (owner);

select private.studio_grant_rows('public.studio_run_waits', 'select');

create table private.studio_workers (
  id text primary key check (char_length(id) <= 200),
  concurrency integer not null check (concurrency >= 1),
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

select private.studio_grant_rows('private.studio_workers');

-- By day (UTC), with what calls under way may cost at most.
create table private.studio_spending (
  workflow_id uuid not null references public.studio_workflows (id) on delete cascade,
  day date not null,
  usd numeric not null default 0,
  primary key (workflow_id, day)
);

select private.studio_grant_rows('private.studio_spending');

create table private.studio_pruned (
  owner uuid primary key references auth.users (id) on delete cascade,
  at timestamptz not null default now()
);

select private.studio_grant_rows('private.studio_pruned');

create table private.studio_failure_secrets (
  workflow_id uuid primary key references public.studio_publications (workflow_id) on delete cascade,
  secret text not null check (char_length(secret) between 8 and 500)
);

select private.studio_grant_rows('private.studio_failure_secrets');

create table private.studio_notices (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- What is told; each once.
  key text not null check (char_length(key) <= 255),
  url text not null check (char_length(url) <= 2000),
  body jsonb not null,
  attempts integer not null default 0,
  -- Null once it was sent or given up.
  next_at timestamptz default now(),
  -- Which worker has it sent, while it does.
  worker text,
  created_at timestamptz not null default now(),
  unique (workflow_id, key)
);

create index studio_notices_due on private.studio_notices (next_at) where next_at is not null;
create index studio_notices_of_owner on private.studio_notices (owner);
create index studio_notices_oldest on private.studio_notices (created_at);

select private.studio_grant_rows('private.studio_notices');

create table private.studio_activity (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  hour timestamptz not null,
  -- Runs that have ended, those below among them.
  runs integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  cost_usd numeric not null default 0,
  -- Runs whose cost is not known.
  unpriced integer not null default 0,
  -- Those who had a run end in this hour, and those for whom it was the first of the day (UTC).
  visitors integer not null default 0,
  day_visitors integer not null default 0,
  -- How many runs took how long: { "n": runs } took from 2^(n/4) to 2^((n+1)/4) milliseconds. Without cancelled runs.
  durations jsonb not null default '{}',
  -- Failed runs by the code of their error.
  errors jsonb not null default '{}',
  -- Tool calls by the tool's name, and those of them that failed.
  tools jsonb not null default '{}',
  tool_failures jsonb not null default '{}',
  primary key (workflow_id, hour)
);

select private.studio_grant_rows('private.studio_activity');

-- When a visitor, or a program's user, last had a run end.
create table private.studio_visitors (
  workflow_id uuid not null references public.studio_publications (workflow_id) on delete cascade,
  -- MD5 of the subject.
  visitor uuid not null,
  seen_at timestamptz not null,
  primary key (workflow_id, visitor)
);

create index studio_visitors_seen on private.studio_visitors (workflow_id, seen_at);

select private.studio_grant_rows('private.studio_visitors');

create table private.studio_collectors (
  workflow_id uuid primary key references public.studio_publications (workflow_id) on delete cascade,
  url text not null check (url ~ '^https?://' and char_length(url) <= 2000),
  -- { name: value }. Values are secrets: they are never given back.
  headers jsonb not null default '{}' check (jsonb_typeof(headers) = 'object' and octet_length(headers::text) <= 16384),
  -- Whether what was said is sent, too.
  content boolean not null default false,
  sent_at timestamptz,
  -- Why the last runs were not sent, in words.
  problem text check (char_length(problem) <= 1000)
);

select private.studio_grant_rows('private.studio_collectors');

create table private.studio_trace_exports (
  run_id uuid primary key references public.studio_runs (id) on delete cascade,
  owner uuid not null references auth.users (id) on delete cascade,
  workflow_id uuid not null references private.studio_collectors (workflow_id) on delete cascade,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- Which worker has it sent, while it does.
  worker text
);

create index studio_trace_exports_due on private.studio_trace_exports (next_at);
create index studio_trace_exports_of_workflow on private.studio_trace_exports (workflow_id, next_at);
create index studio_trace_exports_of_owner on private.studio_trace_exports (owner);

select private.studio_grant_rows('private.studio_trace_exports');

-- What a run has booked for calls that are under way. `studio_runs.cost_usd` and the spending of a day have what is settled.
create table private.studio_booked_calls (
  run_id uuid primary key references public.studio_runs (id) on delete cascade,
  workflow_id uuid not null,
  api_key_id uuid,
  usd numeric not null check (usd >= 0)
);

create index studio_booked_calls_of_workflow on private.studio_booked_calls (workflow_id);
create index studio_booked_calls_of_key on private.studio_booked_calls (api_key_id) where api_key_id is not null;

select private.studio_grant_rows('private.studio_booked_calls');

-- References from tables that come before.
alter table public.studio_runs add constraint studio_runs_trigger_id_fkey foreign key (trigger_id) references public.studio_triggers (id) on delete set null;

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

-- Publishes a document of the caller and gives { version, slug, unchanged }. The document that was published last becomes no
-- new version (`unchanged`). p_target is 'live', 'staging' or 'none'. Raises "workflow_not_found" and, where p_slug belongs to
-- another workflow, "slug_taken".
create or replace function public.studio_publish(
  p_workflow_id uuid, p_document jsonb, p_workflows jsonb, p_hash text, p_schedules jsonb, p_slug text, p_note text,
  p_revision integer, p_target text
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication public.studio_publications%rowtype;
  latest public.studio_published%rowtype;
  number integer;
begin
  perform 1 from public.studio_workflows as workflows
  where workflows.id = p_workflow_id and workflows.owner = caller and workflows.deleted_at is null
  for update;
  if not found then
    raise exception 'workflow_not_found' using errcode = 'P0002';
  end if;
  if p_target not in ('live', 'staging', 'none') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  begin
    insert into public.studio_publications as own (workflow_id, owner, slug) values (p_workflow_id, caller, p_slug)
    on conflict (workflow_id) do update set slug = excluded.slug, updated_at = now()
    returning * into publication;
  exception when unique_violation then
    raise exception 'slug_taken' using errcode = '23505';
  end;
  select * into latest from public.studio_published as version
  where version.workflow_id = p_workflow_id and version.owner = caller order by version.version desc limit 1;
  if latest.hash = p_hash then
    number := latest.version;
  else
    number := coalesce(latest.version, 0) + 1;
    insert into public.studio_published
      (workflow_id, owner, version, document, workflows, hash, schedules, note, revision)
    values (
      p_workflow_id, caller, number, p_document, coalesce(p_workflows, '{}'::jsonb), p_hash,
      coalesce(p_schedules, '[]'::jsonb), coalesce(p_note, ''), p_revision
    );
  end if;
  if p_target <> 'none' then
    perform public.studio_point(p_workflow_id, p_target, number);
  end if;
  return jsonb_build_object('version', number, 'slug', publication.slug, 'unchanged', latest.hash is not distinct from p_hash);
end;
$$;

select private.studio_grant_calls('public.studio_publish(uuid, jsonb, jsonb, text, jsonb, text, text, integer, text)', 'authenticated', 'service_role');

-- Lets `live` or `staging` point to a version that there is; null points nowhere. Raises "version_not_found".
create or replace function public.studio_point(p_workflow_id uuid, p_target text, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  if p_target not in ('live', 'staging') then
    raise exception 'unknown_target' using errcode = '22023';
  end if;
  if p_version is not null and not exists (
    select 1 from public.studio_published as version
    where version.workflow_id = p_workflow_id and version.version = p_version and version.owner = caller
  ) then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
  update public.studio_publications as own set
    live = case when p_target = 'live' then p_version else own.live end,
    staging = case when p_target = 'staging' then p_version else own.staging end,
    updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
  if p_target = 'live' then
    perform private.studio_follow_live(p_workflow_id);
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_point(uuid, text, integer)', 'authenticated', 'service_role');

-- Changes what a publication may take and who is told when it fails.
create or replace function public.studio_set_publication(p_workflow_id uuid, p_limits jsonb, p_on_failure jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_publications as own set
    limits = coalesce(p_limits, '{}'::jsonb), on_failure = p_on_failure, updated_at = now()
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_set_publication(uuid, jsonb, jsonb)', 'authenticated', 'service_role');

-- Switches a trigger of the caller. One that is switched on waits for its next time; what it missed is gone.
create or replace function public.studio_switch_trigger(p_trigger_id uuid, p_enabled boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_triggers as own set enabled = p_enabled, next_at = null, problem = null
  where own.id = p_trigger_id and own.owner = caller;
  if not found then
    raise exception 'trigger_not_found' using errcode = 'P0002';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_switch_trigger(uuid, boolean)', 'authenticated', 'service_role');

-- Wakes workers that listen; the embedded database has none, and its workers are told by the studio.
create or replace function private.studio_wake_workers() returns void
language sql volatile set search_path = ''
as $$
  select pg_notify('studio_runs', '');
$$;

select private.studio_grant_calls('private.studio_wake_workers()');

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
    raise exception 'not_published' using errcode = 'P0002';
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

-- Starts a run of the caller's workflow, named by its id or its slug. Raises "not_published".
create or replace function public.studio_start_run(
  p_workflow text, p_target text, p_input jsonb, p_key text default null, p_forked_from jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  found_id uuid;
begin
  select own.workflow_id into found_id from public.studio_publications as own
  where own.owner = caller and (own.slug = p_workflow or own.workflow_id::text = p_workflow);
  if found_id is null then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  return private.studio_queue_run(found_id, p_target, p_input, 'manual', p_key, null, p_forked_from);
end;
$$;

select private.studio_grant_calls('public.studio_start_run(text, text, jsonb, text, jsonb)', 'authenticated', 'service_role');

-- Asks for the end of the caller's run; gives its status. One that no worker has touched ends here and now.
create or replace function public.studio_cancel_run(p_run_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller and found.source <> 'editor' for update;
  if not found then
    raise exception 'run_not_found' using errcode = 'P0002';
  end if;
  if run.status not in ('queued', 'running', 'waiting') then
    return run.status;
  end if;
  update public.studio_runs as own set
    cancel_requested_at = coalesce(own.cancel_requested_at, now()),
    status = case
      when own.status = 'queued' and own.attempt = 0 then 'cancelled'
      -- A worker writes the end of what has begun.
      when own.status = 'waiting' then 'queued'
      else own.status end,
    queued_at = case when own.status = 'waiting' then now() else own.queued_at end,
    ended_at = case when own.status = 'queued' and own.attempt = 0 then now() end
  where own.id = p_run_id
  returning own.status into run.status;
  perform private.studio_wake_workers();
  return run.status;
end;
$$;

select private.studio_grant_calls('public.studio_cancel_run(uuid)', 'authenticated', 'service_role');

-- Decides what the caller's run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired' or 'over'.
create or replace function public.studio_decide_wait(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  wait public.studio_run_waits%rowtype;
  run public.studio_runs%rowtype;
begin
  select * into run from public.studio_runs as found
  where found.id = p_run_id and found.owner = caller for update;
  if run.status not in ('queued', 'running', 'waiting') or run.cancel_requested_at is not null then
    return 'over';
  end if;
  select * into wait from public.studio_run_waits as found
  where found.run_id = p_run_id and found.call_id = p_call_id and found.owner = caller
    and found.kind <> 'time' for update;
  if not found then
    raise exception 'wait_not_found' using errcode = 'P0002';
  end if;
  if wait.decision is not null then
    return case when wait.decision ? 'expired' then 'expired' else 'decided-elsewhere' end;
  end if;
  if wait.expires_at <= now() then
    return 'expired';
  end if;
  update public.studio_run_waits as own set decision = p_decision - 'expired', decided_at = now()
  where own.run_id = p_run_id and own.call_id = p_call_id;
  update public.studio_runs as own set status = 'queued', queued_at = now()
  where own.id = p_run_id and own.status = 'waiting';
  perform private.studio_wake_workers();
  return 'decided';
end;
$$;

select private.studio_grant_calls('public.studio_decide_wait(uuid, text, jsonb)', 'authenticated', 'service_role');

-- How many workers have been there in the last half minute, and what is queued, running and waiting for the caller.
create or replace function public.studio_queue_state() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'workers', (select count(*) from private.studio_workers where seen_at > now() - interval '30 seconds'),
      'queued', count(*) filter (where runs.status = 'queued'),
      'running', count(*) filter (where runs.status = 'running'),
      'waiting', count(*) filter (where runs.status = 'waiting')
    )
    from public.studio_runs as runs
    where runs.owner = caller and runs.source <> 'editor' and runs.status in ('queued', 'running', 'waiting')
  );
end;
$$;

select private.studio_grant_calls('public.studio_queue_state()', 'authenticated', 'service_role');

-- Whether one more run of this workflow may go on now; none of an account that is being deleted. Starts count by the minute; a
-- run that comes back from a wait does not.
create or replace function private.studio_may_run(
  p_owner uuid, p_workflow_id uuid, p_has_begun boolean, p_most_of_owner integer
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  limits jsonb;
begin
  if exists (select from private.studio_deletions as deletions where deletions.owner = p_owner) then
    return false;
  end if;
  if (
    select count(*) from public.studio_runs as busy
    where busy.owner = p_owner and busy.status = 'running' and busy.source <> 'editor' and busy.lease_until >= now()
  ) >= p_most_of_owner then
    return false;
  end if;
  select publications.limits into limits from public.studio_publications as publications
  where publications.workflow_id = p_workflow_id;
  if limits -> 'concurrent' is not null and (
    select count(*) from public.studio_runs as busy
    where busy.workflow_id = p_workflow_id and busy.status = 'running' and busy.source <> 'editor'
      and busy.lease_until >= now()
  ) >= (limits ->> 'concurrent')::numeric then
    return false;
  end if;
  return p_has_begun or limits -> 'perMinute' is null or (
    select count(*) from public.studio_runs as recent
    where recent.workflow_id = p_workflow_id and recent.source <> 'editor' and recent.attempt > 0
      and recent.started_at > now() - interval '1 minute'
  ) < (limits ->> 'perMinute')::numeric;
end;
$$;

select private.studio_grant_calls('private.studio_may_run(uuid, uuid, boolean, integer)');

-- Books what a run has cost so far, calls under way included, against the caps of its publication and of its key, and says
-- which cap that passes: 'run', 'day', 'month', 'keyDay', 'keyMonth' or null. Tells once a day and once a month that four fifths
-- of a cap are spent.
create or replace function private.studio_book_spending(p_run_id uuid, p_usd numeric) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  booked record;
  today constant date := (now() at time zone 'utc')::date;
  of_day numeric;
  of_month numeric;
  key_cap text;
begin
  select runs.workflow_id, runs.source, runs.api_key_id, coalesce(runs.cost_usd, 0) as usd, publications.limits into booked
  from public.studio_runs as runs
  join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
  where runs.id = p_run_id;
  if not found then
    return null;
  end if;
  if p_usd > booked.usd or (p_usd < booked.usd and not exists (
    select 1 from private.studio_booked_calls as calls where calls.run_id = p_run_id
  )) then
    update public.studio_runs as runs set cost_usd = p_usd where runs.id = p_run_id;
    perform private.studio_count_spending(booked.workflow_id, booked.api_key_id, p_usd - booked.usd);
  end if;
  if p_usd > (booked.limits ->> 'runUsd')::numeric then
    return 'run';
  end if;
  key_cap := private.studio_key_cap(booked.api_key_id, 0.000000001);
  if key_cap is not null then
    return key_cap;
  end if;
  if not booked.limits ?| array['dayUsd', 'monthUsd'] then
    return null;
  end if;
  select coalesce(sum(spending.usd) filter (where spending.day = today), 0), coalesce(sum(spending.usd), 0)
  into of_day, of_month
  from private.studio_spending as spending
  where spending.workflow_id = booked.workflow_id and spending.day >= date_trunc('month', today)::date;
  if booked.source <> 'failure' and of_day >= 0.8 * (booked.limits ->> 'dayUsd')::numeric then
    perform private.studio_tell_failure(booked.workflow_id, 'cap day ' || today, jsonb_build_object(
      'kind', 'cap-near', 'message', 'Four fifths of what the workflow may spend in a day are spent.',
      'spentUsd', of_day, 'capUsd', booked.limits -> 'dayUsd'));
  end if;
  if booked.source <> 'failure' and of_month >= 0.8 * (booked.limits ->> 'monthUsd')::numeric then
    perform private.studio_tell_failure(booked.workflow_id, 'cap month ' || to_char(today, 'YYYY-MM'), jsonb_build_object(
      'kind', 'cap-near', 'message', 'Four fifths of what the workflow may spend in a month are spent.',
      'spentUsd', of_month, 'capUsd', booked.limits -> 'monthUsd'));
  end if;
  if of_day > (booked.limits ->> 'dayUsd')::numeric then
    return 'day';
  end if;
  if of_month > (booked.limits ->> 'monthUsd')::numeric then
    return 'month';
  end if;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_book_spending(uuid, numeric)');

-- Stores what a worker has recorded and renews its lease: { state: 'ok' | 'cancelled' | 'fenced', cap? }. `fenced`: another
-- attempt has the run, or it is gone; nothing was stored. p_usd null leaves the spending as it is.
create or replace function private.studio_append_run_events(
  p_run_id uuid, p_attempt integer, p_events jsonb, p_lease_ms integer, p_usd numeric default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  cap text;
begin
  update public.studio_runs as runs set
    lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
    lost = case when jsonb_array_length(p_events) > 0 then 0 else runs.lost end
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source <> 'editor'
  returning runs.owner, runs.cancel_requested_at into run;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  insert into public.studio_run_events (run_id, seq, owner, at, type, event)
  select p_run_id, (one ->> 'seq')::integer, run.owner, to_timestamp((one ->> 'at')::numeric / 1000), one ->> 'type', one
  from jsonb_array_elements(p_events) as one
  -- An answer that got lost: the same attempt writes the same again.
  on conflict (run_id, seq) do nothing;
  if p_usd is not null then
    cap := private.studio_book_spending(p_run_id, p_usd);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'state', case when run.cancel_requested_at is null then 'ok' else 'cancelled' end, 'cap', cap));
end;
$$;

select private.studio_grant_calls('private.studio_append_run_events(uuid, integer, jsonb, integer, numeric)', 'studio_worker');

-- Stores the last events of a run and its end, both or neither; 'ok' or 'fenced'. The start is counted back from the end by the
-- events, since a worker reads the workflow between taking the run and its first event; where they found no room, it stays.
-- p_end: { status, output, error, ending, totalTokens, costUsd, usage }.
create or replace function private.studio_finish_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_end jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  first_at timestamptz;
  last_at timestamptz;
begin
  if private.studio_append_run_events(
    p_run_id, p_attempt, p_events, 60000, (p_end ->> 'costUsd')::numeric
  ) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  select stored.at into first_at from public.studio_run_events as stored
  where stored.run_id = p_run_id and stored.seq = 0 and stored.type = 'run-start';
  select last.at into last_at
  from (
    select stored.at, stored.type from public.studio_run_events as stored
    where stored.run_id = p_run_id
    order by stored.seq desc
    limit 1
  ) as last
  where last.type = 'run-end';
  update public.studio_runs as runs set
    status = p_end ->> 'status',
    output = jsonb_build_object('value', p_end -> 'output'),
    error = nullif(p_end -> 'error', 'null'::jsonb),
    ending = nullif(p_end -> 'ending', 'null'::jsonb),
    total_tokens = (p_end ->> 'totalTokens')::integer,
    cost_usd = (p_end ->> 'costUsd')::numeric,
    usage = nullif(p_end -> 'usage', 'null'::jsonb),
    started_at = coalesce(now() - (last_at - first_at), runs.started_at),
    ended_at = now(), lease_until = null
  where runs.id = p_run_id;
  return 'ok';
end;
$$;

select private.studio_grant_calls('private.studio_finish_run(uuid, integer, jsonb, jsonb)', 'studio_worker');

-- Asks what a run waits for, while it goes on or before it stops to wait. Asking again changes nothing.
create or replace function private.studio_ask(
  p_run_id uuid, p_attempt integer, p_call_id text, p_kind text, p_question jsonb, p_expires_at timestamptz
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  run_owner uuid;
begin
  select runs.owner into run_owner from public.studio_runs as runs
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running';
  if not found then
    return 'fenced';
  end if;
  insert into public.studio_run_waits (run_id, call_id, owner, kind, question, expires_at)
  values (p_run_id, p_call_id, run_owner, p_kind, p_question, p_expires_at)
  on conflict (run_id, call_id) do nothing;
  return 'ok';
end;
$$;

select private.studio_grant_calls('private.studio_ask(uuid, integer, text, text, jsonb, timestamp with time zone)', 'studio_worker');

-- Gives a run back. 'waiting': it goes on once something it waits for is decided, at once where that has happened already.
-- 'queued': the worker stops, and another one goes on. Gives the status, or 'fenced'.
create or replace function private.studio_release_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_status text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  next_status text := p_status;
begin
  if p_status not in ('waiting', 'queued') then
    raise exception 'unknown_status' using errcode = '22023';
  end if;
  if private.studio_append_run_events(p_run_id, p_attempt, p_events, 60000) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  perform 1 from public.studio_runs as runs where runs.id = p_run_id for update;
  -- Decided since this attempt began, and not yet told in the log; or cancelled meanwhile.
  if p_status = 'waiting' and exists (
    select 1 from public.studio_runs as runs
    where runs.id = p_run_id and (
      runs.cancel_requested_at is not null
      or exists (
        select 1 from public.studio_run_waits as waits
        where waits.run_id = p_run_id and waits.decision is not null
          and not exists (
            select 1 from public.studio_run_events as events
            where events.run_id = p_run_id and events.type in ('approval-end', 'form-end', 'wait-end')
              and events.event ->> 'callId' = waits.call_id
          )
      )
    )
  ) then
    next_status := 'queued';
  end if;
  update public.studio_runs as runs set status = next_status, lease_until = null, queued_at = now(), worker = null
  where runs.id = p_run_id;
  return next_status;
end;
$$;

select private.studio_grant_calls('private.studio_release_run(uuid, integer, jsonb, text)', 'studio_worker');

-- Says that a worker is there and renews its leases. p_runs: [{ id, attempt }]. Gives, by run id, what is new for it:
-- { fenced: [id], cancelled: [id], decided: [{ runId, callId, decision }] }. A run whose row somebody else has locked keeps its
-- lease for now, and the others do not wait for it.
create or replace function private.studio_beat(p_worker text, p_concurrency integer, p_runs jsonb, p_lease_ms integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  mine jsonb;
begin
  insert into private.studio_workers as workers (id, concurrency) values (p_worker, p_concurrency)
  on conflict (id) do update set seen_at = now(), concurrency = excluded.concurrency;
  with held as (
    select (one ->> 'id')::uuid as id, (one ->> 'attempt')::integer as attempt
    from jsonb_array_elements(p_runs) as one
  ), own as (
    select runs.id, runs.cancel_requested_at from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
  ), free as (
    select runs.id from public.studio_runs as runs
    join held on held.id = runs.id and held.attempt = runs.attempt
    where runs.status = 'running' and runs.source <> 'editor'
    for update of runs skip locked
  ), renewed as (
    update public.studio_runs as runs set
      lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0)
    from free where runs.id = free.id
  )
  select jsonb_build_object(
    'fenced', (
      select coalesce(jsonb_agg(held.id), '[]') from held
      where held.id not in (select own.id from own)
    ),
    'cancelled', (
      select coalesce(jsonb_agg(own.id), '[]') from own where own.cancel_requested_at is not null
    ),
    'decided', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'runId', waits.run_id, 'callId', waits.call_id, 'decision', waits.decision)), '[]')
      from own join public.studio_run_waits as waits on waits.run_id = own.id
      where waits.decision is not null
    )
  ) into mine;
  return mine;
end;
$$;

select private.studio_grant_calls('private.studio_beat(text, integer, jsonb, integer)', 'studio_worker');

-- Lets other workers have at once what a worker held that is known to be gone. Gives how many runs there were.
create or replace function private.studio_drop_worker(p_worker text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dropped integer;
begin
  update public.studio_runs as runs set lease_until = now() - interval '1 millisecond'
  where runs.worker = p_worker and runs.status = 'running' and runs.source <> 'editor';
  get diagnostics dropped = row_count;
  delete from private.studio_workers as workers where workers.id = p_worker;
  if dropped > 0 then
    perform private.studio_wake_workers();
  end if;
  return dropped;
end;
$$;

select private.studio_grant_calls('private.studio_drop_worker(text)', 'studio_worker');

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

-- A part of a run's log, in order. p_source is the run itself, or another run of the same owner whose recording it goes along.
create or replace function private.studio_run_log(p_run_id uuid, p_source uuid, p_from integer, p_limit integer)
returns table (event jsonb)
language sql stable security definer set search_path = ''
as $$
  select events.event from public.studio_run_events as events
  where events.run_id = p_source and events.seq >= p_from
    and events.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id)
  order by events.seq
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_run_log(uuid, uuid, integer, integer)', 'studio_worker');

-- What another run of the same owner ran: { document, input, status }; no row where there is no such run.
create or replace function private.studio_run_source(p_run_id uuid, p_source uuid)
returns table (document jsonb, input jsonb, status text)
language sql stable security definer set search_path = ''
as $$
  select coalesce(versions.document, source.document), source.input -> 'value', source.status
  from public.studio_runs as source
  left join public.studio_published as versions
    on versions.workflow_id = source.workflow_id and versions.version = source.published_version
  where source.id = p_source
    and source.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id);
$$;

select private.studio_grant_calls('private.studio_run_source(uuid, uuid)', 'studio_worker');

-- What a run has asked, and what was decided.
create or replace function private.studio_run_answers(p_run_id uuid) returns table (call_id text, decision jsonb, expires_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select waits.call_id, waits.decision, waits.expires_at
  from public.studio_run_waits as waits where waits.run_id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_answers(uuid)', 'studio_worker');

-- Starts the workflow that p_workflow_id names for failures, with what happened, and queues a notice for the webhook if there
-- is one; once for each p_key. It never raises: what it is told of has happened already. Failures of runs that were started by
-- a failure tell nobody, or two workflows could go on telling each other.
create or replace function private.studio_tell_failure(p_workflow_id uuid, p_key text, p_what jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  publication public.studio_publications%rowtype;
  told public.studio_publications%rowtype;
  what jsonb;
begin
  select * into publication from public.studio_publications as found where found.workflow_id = p_workflow_id;
  if not found then
    return;
  end if;
  what := p_what || jsonb_build_object('workflow', jsonb_build_object('id', p_workflow_id, 'slug', publication.slug));
  if publication.on_failure ->> 'url' is not null then
    insert into private.studio_notices (owner, workflow_id, key, url, body)
    values (publication.owner, p_workflow_id, p_key, publication.on_failure ->> 'url', what)
    on conflict (workflow_id, key) do nothing;
  end if;
  if publication.on_failure ->> 'workflowId' is null then
    return;
  end if;
  select * into told from public.studio_publications as found
  where found.workflow_id::text = publication.on_failure ->> 'workflowId' and found.owner = publication.owner;
  if not found or told.live is null then
    update public.studio_publications as own set
      on_failure_problem = 'The workflow that is told of failures has no live version. Publish it, or choose another.'
    where own.workflow_id = p_workflow_id;
    return;
  end if;
  begin
    perform private.studio_queue_run(told.workflow_id, 'live', what, 'failure', p_key, null, null);
    update public.studio_publications as own set on_failure_problem = null
    where own.workflow_id = p_workflow_id and own.on_failure_problem is not null;
  exception when others then
    update public.studio_publications as own set
      on_failure_problem = left(
        'The workflow that is told of failures could not be started: ' || private.studio_reason(sqlstate, sqlerrm), 1000)
    where own.workflow_id = p_workflow_id;
  end;
exception when others then
  raise warning 'A failure was not told: %', sqlerrm;
end;
$$;

select private.studio_grant_calls('private.studio_tell_failure(uuid, text, jsonb)');

create or replace function private.studio_tell_of_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(new.workflow_id, 'failed ' || new.id, jsonb_build_object(
    'kind', 'run-failed',
    'message', coalesce(new.error ->> 'message', 'The run failed.'),
    'run', jsonb_build_object('id', new.id, 'source', new.source, 'version', new.published_version, 'error', new.error)));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_tell_of_run()');

create or replace function private.studio_tell_of_trigger() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_tell_failure(
    new.workflow_id, left('trigger ' || new.id || ' ' || md5(new.problem), 255), jsonb_build_object(
      'kind', 'trigger-stopped', 'message', new.problem,
      'trigger', jsonb_build_object('id', new.id, 'nodeId', new.node_id, 'cron', new.cron)));
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_tell_of_trigger()');

-- What waits for the caller, approvals and forms that tools ask, the oldest first: { total, waits }. Waits of runs that are over
-- and those whose time is over are left out. p_limit 0 counts alone.
create or replace function public.studio_inbox(p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  with open as (
    select waits.run_id, waits.call_id, waits.question, waits.asked_at, waits.expires_at,
      runs.workflow_id, workflows.name as workflow_name
    from public.studio_run_waits as waits
    join public.studio_runs as runs on runs.id = waits.run_id
    join public.studio_workflows as workflows on workflows.id = runs.workflow_id
    where waits.owner = (select auth.uid()) and waits.decision is null and waits.kind in ('approval', 'form')
      and (waits.expires_at is null or waits.expires_at > now())
      and runs.status in ('queued', 'running', 'waiting') and runs.cancel_requested_at is null
  )
  select jsonb_build_object(
    'total', (select count(*) from open),
    'waits', coalesce((
      select jsonb_agg(to_jsonb(page) order by page.asked_at, page.run_id, page.call_id)
      from (
        select * from open
        order by open.asked_at, open.run_id, open.call_id
        limit greatest(0, least(p_limit, 200))
      ) as page
    ), '[]'::jsonb)
  );
$$;

select private.studio_grant_calls('public.studio_inbox(integer)', 'authenticated', 'service_role');

create or replace function private.studio_forget_waits() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.studio_run_waits as waits where waits.run_id = new.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_forget_waits()');

-- Stores the secret with which the caller's notices are signed; null deletes it. Raises "not_published".
create or replace function public.studio_set_failure_secret(p_workflow_id uuid, p_secret text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_secret is null then
    delete from private.studio_failure_secrets as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_failure_secrets as stored (workflow_id, secret) values (p_workflow_id, p_secret)
  on conflict (workflow_id) do update set secret = excluded.secret;
end;
$$;

select private.studio_grant_calls('public.studio_set_failure_secret(uuid, text)', 'authenticated', 'service_role');

-- A notice of an account that has not been sent: { url, body, secret }; null where there is none.
create or replace function public.studio_read_notice(p_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('url', notices.url, 'body', notices.body, 'secret', stored.secret)
  from private.studio_notices as notices
  left join private.studio_failure_secrets as stored on stored.workflow_id = notices.workflow_id
  where notices.id = p_id and notices.owner = p_owner and notices.next_at is not null;
$$;

select private.studio_grant_calls('public.studio_read_notice(uuid, uuid)', 'service_role');

-- Says what became of a notice: sent, or why not. Then it is sent again after 30 seconds, and each time after four times as long,
-- six times in all: for about eleven hours.
create or replace function public.studio_end_notice(p_id uuid, p_problem text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended private.studio_notices%rowtype;
begin
  update private.studio_notices as notices set
    worker = null,
    next_at = case when p_problem is null or notices.attempts >= 7 then null
      else now() + interval '30 seconds' * (4 ^ (greatest(notices.attempts, 1) - 1)) end
  where notices.id = p_id and notices.next_at is not null
  returning * into ended;
  if ended.id is null then
    return;
  end if;
  update public.studio_publications as own set
    on_failure_problem = case when p_problem is null then null
      when ended.next_at is null then left('The webhook that is told of failures could not be reached: ' || p_problem, 1000)
      else left('The webhook that is told of failures could not be reached and is tried again: ' || p_problem, 1000) end
  where own.workflow_id = ended.workflow_id
    and (p_problem is not null or own.on_failure_problem is not null);
end;
$$;

select private.studio_grant_calls('public.studio_end_notice(uuid, text)', 'service_role');

-- Two counts by name, added up: the 200 largest.
create or replace function private.studio_add_counts(p_one jsonb, p_other jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(sums.name, sums.total), '{}'::jsonb)
  from (
    select parts.key as name, sum(parts.value::integer) as total
    from (select * from jsonb_each_text(p_one) union all select * from jsonb_each_text(p_other)) as parts
    group by parts.key order by 2 desc, 1 limit 200
  ) as sums;
$$;

select private.studio_grant_calls('private.studio_add_counts(jsonb, jsonb)');

-- Counts a run of a worker that has ended.
create or replace function private.studio_count_run(p_run public.studio_runs) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  ended constant timestamptz := coalesce(p_run.ended_at, now());
  of_hour constant timestamptz := date_trunc('hour', ended at time zone 'utc') at time zone 'utc';
  of_day constant timestamptz := date_trunc('day', ended at time zone 'utc') at time zone 'utc';
  took constant numeric := greatest(extract(epoch from ended - p_run.started_at) * 1000, 1);
  class constant text := floor(4 * ln(took) / ln(2.0))::integer::text;
  before timestamptz;
  called jsonb;
  refused jsonb;
  is_new boolean;
begin
  if p_run.subject is not null then
    select seen.seen_at into before from private.studio_visitors as seen
    where seen.workflow_id = p_run.workflow_id and seen.visitor = md5(p_run.subject)::uuid;
    insert into private.studio_visitors as seen (workflow_id, visitor, seen_at)
    values (p_run.workflow_id, md5(p_run.subject)::uuid, ended)
    on conflict (workflow_id, visitor) do update set seen_at = greatest(seen.seen_at, excluded.seen_at);
  end if;
  select jsonb_object_agg(tools.name, tools.calls), jsonb_object_agg(tools.name, tools.failures) filter (where failures > 0)
  into called, refused
  from (
    select left(events.event ->> 'toolName', 100) as name, count(*) as calls,
      count(*) filter (where events.event ->> 'ok' = 'false') as failures
    from public.studio_run_events as events
    where events.run_id = p_run.id and events.type = 'tool-call-end' and events.event ->> 'toolName' is not null
    group by 1
  ) as tools;
  insert into private.studio_activity as activity (
    workflow_id, hour, runs, failed, cancelled, cost_usd, unpriced, visitors, day_visitors, durations, errors, tools,
    tool_failures)
  values (
    p_run.workflow_id, of_hour, 1,
    (p_run.status = 'failed')::integer,
    (p_run.status = 'cancelled')::integer,
    coalesce(p_run.cost_usd, 0),
    (p_run.cost_usd is null and coalesce(p_run.total_tokens, 0) > 0)::integer,
    (p_run.subject is not null and coalesce(before < of_hour, true))::integer,
    (p_run.subject is not null and coalesce(before < of_day, true))::integer,
    case when p_run.status = 'cancelled' then '{}'::jsonb
      else jsonb_build_object(class, 1) end,
    case when p_run.status = 'failed' then jsonb_build_object(coalesce(p_run.error ->> 'code', 'internal'), 1)
      else '{}'::jsonb end,
    coalesce(called, '{}'::jsonb), coalesce(refused, '{}'::jsonb)
  )
  on conflict (workflow_id, hour) do update set
    runs = activity.runs + 1,
    failed = activity.failed + excluded.failed,
    cancelled = activity.cancelled + excluded.cancelled,
    cost_usd = activity.cost_usd + excluded.cost_usd,
    unpriced = activity.unpriced + excluded.unpriced,
    visitors = activity.visitors + excluded.visitors,
    day_visitors = activity.day_visitors + excluded.day_visitors,
    durations = case when excluded.durations = '{}' then activity.durations
      else activity.durations || jsonb_build_object(class, coalesce((activity.durations ->> class)::integer, 0) + 1) end,
    errors = case when excluded.errors = '{}' then activity.errors
      else private.studio_add_counts(activity.errors, excluded.errors) end,
    tools = case when excluded.tools = '{}' then activity.tools
      else private.studio_add_counts(activity.tools, excluded.tools) end,
    tool_failures = case when excluded.tool_failures = '{}' then activity.tool_failures
      else private.studio_add_counts(activity.tool_failures, excluded.tool_failures) end
  returning activity.runs = 1 into is_new;
  if is_new then
    delete from private.studio_activity as old
    where old.workflow_id = p_run.workflow_id and old.hour < now() - interval '40 days';
    delete from private.studio_visitors as old
    where old.workflow_id = p_run.workflow_id and old.seen_at < now() - interval '40 days';
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_count_run(public.studio_runs)');

-- What cannot be counted must not keep a run from ending.
create or replace function private.studio_count_ended_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_run(new);
  return null;
exception when others then
  raise warning 'A run was not counted: %', sqlerrm;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_ended_run()');

-- The caller's publications, and how they have been doing since a moment: [{ workflowId, name, slug, live, runs, failed }].
create or replace function public.studio_activity_overview(p_from timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'workflowId', own.workflow_id, 'name', workflows.name, 'slug', own.slug, 'live', own.live,
      'runs', coalesce(sums.runs, 0), 'failed', coalesce(sums.failed, 0)) order by workflows.name, own.slug), '[]'::jsonb)
    from public.studio_publications as own
    join public.studio_workflows as workflows on workflows.id = own.workflow_id and workflows.deleted_at is null
    left join lateral (
      select sum(activity.runs) as runs, sum(activity.failed) as failed from private.studio_activity as activity
      where activity.workflow_id = own.workflow_id and activity.hour >= p_from
    ) as sums on true
    where own.owner = caller
  );
end;
$$;

select private.studio_grant_calls('public.studio_activity_overview(timestamp with time zone)', 'authenticated', 'service_role');

-- How the caller's publication has been doing since a moment, by hour or day of a time zone: { name, slug, live, buckets: [{ at, runs, failed,
-- cancelled, costUsd, unpriced, visitors, durations, up, down }], errors: [{ code, runs }], tools: [{ name, calls, failed }],
-- visitors }. Buckets without a run or a rating are left out. Raises "not_published".
create or replace function public.studio_publication_activity(
  p_workflow_id uuid, p_from timestamptz, p_bucket text, p_time_zone text
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  publication record;
  since constant timestamptz := greatest(p_from, now() - interval '40 days');
begin
  select own.slug, own.live, workflows.name into publication
  from public.studio_publications as own
  join public.studio_workflows as workflows on workflows.id = own.workflow_id
  where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_bucket not in ('hour', 'day') then
    raise exception 'unknown_bucket' using errcode = '22023';
  end if;
  return (
    with hours as materialized (
      select activity.*, date_trunc(p_bucket, activity.hour at time zone p_time_zone) at time zone p_time_zone as bucket
      from private.studio_activity as activity
      where activity.workflow_id = p_workflow_id
        and activity.hour >= date_trunc('hour', since at time zone 'utc') at time zone 'utc'
    ), ran as (
      select hours.bucket, jsonb_build_object(
        'runs', sum(hours.runs), 'failed', sum(hours.failed), 'cancelled', sum(hours.cancelled),
        'costUsd', sum(hours.cost_usd), 'unpriced', sum(hours.unpriced),
        'visitors', case when p_bucket = 'hour' then sum(hours.visitors) else sum(hours.day_visitors) end) as counts
      from hours group by hours.bucket
    ), took as (
      select parts.bucket, jsonb_object_agg(parts.key, parts.total) as durations
      from (
        select hours.bucket, each_one.key, sum(each_one.value::integer) as total
        from hours, jsonb_each_text(hours.durations) as each_one group by 1, 2
      ) as parts
      group by parts.bucket
    ), rated as (
      select date_trunc(p_bucket, turns.rated_at at time zone p_time_zone) at time zone p_time_zone as bucket,
        jsonb_build_object(
          'up', count(*) filter (where turns.rating = 'up'), 'down', count(*) filter (where turns.rating = 'down')) as counts
      from public.studio_chat_turns as turns
      where turns.owner = caller and turns.rating is not null and turns.rated_at >= since and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads
        where threads.id = turns.thread_id and threads.owner = caller
      )
      group by 1
    ), failures as (
      select each_one.key as code, sum(each_one.value::integer) as runs
      from hours, jsonb_each_text(hours.errors) as each_one group by 1
    ), refused as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tool_failures) as each_one group by 1
    ), called as (
      select each_one.key as name, sum(each_one.value::integer) as calls
      from hours, jsonb_each_text(hours.tools) as each_one group by 1 order by 2 desc, 1 limit 50
    )
    select jsonb_build_object(
      'name', publication.name, 'slug', publication.slug, 'live', publication.live,
      'buckets', (
        select coalesce(jsonb_agg(
          jsonb_build_object('at', round(extract(epoch from all_of.bucket) * 1000))
            || coalesce(ran.counts, '{}'::jsonb) || jsonb_build_object('durations', coalesce(took.durations, '{}'::jsonb))
            || coalesce(rated.counts, '{}'::jsonb)
          order by all_of.bucket), '[]'::jsonb)
        from (select ran.bucket from ran union select rated.bucket from rated) as all_of
        left join ran on ran.bucket = all_of.bucket
        left join took on took.bucket = all_of.bucket
        left join rated on rated.bucket = all_of.bucket
      ),
      'errors', (
        select coalesce(jsonb_agg(jsonb_build_object('code', failures.code, 'runs', failures.runs)
          order by failures.runs desc, failures.code), '[]'::jsonb)
        from failures
      ),
      'tools', (
        select coalesce(jsonb_agg(
          jsonb_build_object('name', called.name, 'calls', called.calls, 'failed', coalesce(refused.calls, 0))
          order by called.calls desc, called.name), '[]'::jsonb)
        from called left join refused on refused.name = called.name
      ),
      'visitors', (
        select count(*) from private.studio_visitors as seen
        where seen.workflow_id = p_workflow_id and seen.seen_at >= since
      )
    )
  );
end;
$$;

select private.studio_grant_calls('public.studio_publication_activity(uuid, timestamp with time zone, text, text)', 'authenticated', 'service_role');

-- Failed runs of the caller's publication on workers, the latest first: [{ id, startedAt, endedAt, source, version, error, input }].
create or replace function public.studio_failed_runs(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', latest.id, 'startedAt', latest.started_at, 'endedAt', latest.ended_at, 'source', latest.source,
    'version', latest.published_version, 'error', latest.error, 'input', public.studio_run_input_words(latest.input))
    order by latest.started_at desc), '[]'::jsonb)
  from (
    select runs.* from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id and runs.status = 'failed' and runs.source <> 'editor'
      and runs.owner = (select auth.uid()) and (p_before is null or runs.started_at < p_before)
    order by runs.started_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_failed_runs(uuid, timestamp with time zone, integer)', 'authenticated', 'service_role');

-- What visitors of the caller's publication thought of answers, the latest first: [{ runId, at, rating, comment, input }].
create or replace function public.studio_feedback(p_workflow_id uuid, p_before timestamptz, p_limit integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'runId', latest.run_id, 'at', latest.rated_at, 'rating', latest.rating, 'comment', latest.comment,
    -- One by one: there are few, and a join would read all runs.
    'input', (select public.studio_run_input_words(runs.input) from public.studio_runs as runs where runs.id = latest.run_id))
    order by latest.rated_at desc), '[]'::jsonb)
  from (
    select turns.run_id, turns.rated_at, turns.rating, turns.comment
    from public.studio_chat_turns as turns
    -- Looked up one by one, whatever the planner believes: a database that is never analysed would join the other way round.
    where turns.owner = (select auth.uid()) and turns.rating is not null and p_workflow_id = (
        select threads.workflow_id from public.studio_chat_threads as threads where threads.id = turns.thread_id
      )
      and (p_before is null or turns.rated_at < p_before)
    order by turns.rated_at desc
    limit least(p_limit, 100)
  ) as latest;
$$;

select private.studio_grant_calls('public.studio_feedback(uuid, timestamp with time zone, integer)', 'authenticated', 'service_role');

-- Traces must not keep a run from ending.
create or replace function private.studio_queue_trace() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.studio_trace_exports (run_id, owner, workflow_id)
  select new.id, new.owner, collectors.workflow_id from private.studio_collectors as collectors
  where collectors.workflow_id = new.workflow_id
  on conflict (run_id) do nothing;
  return null;
exception when others then
  raise warning 'A trace was not queued: %', sqlerrm;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_queue_trace()');

-- The collector of the caller's publication: { url, headerNames, content, sentAt, problem, waiting }; null where there is none.
create or replace function public.studio_collector(p_workflow_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  return (
    select jsonb_build_object(
      'url', collectors.url, 'content', collectors.content, 'sentAt', collectors.sent_at, 'problem', collectors.problem,
      'headerNames', (
        select coalesce(jsonb_agg(names.name order by names.name), '[]'::jsonb)
        from jsonb_object_keys(collectors.headers) as names(name)
      ),
      'waiting', (
        select count(*) from private.studio_trace_exports as exports where exports.workflow_id = own.workflow_id
      ))
    from public.studio_publications as own
    join private.studio_collectors as collectors on collectors.workflow_id = own.workflow_id
    where own.workflow_id = p_workflow_id and own.owner = caller
  );
end;
$$;

select private.studio_grant_calls('public.studio_collector(uuid)', 'authenticated', 'service_role');

-- Names the collector of the caller's publication; null as its address removes it, and what waits. p_headers null keeps the headers,
-- unless the address changes: secrets for one server are not sent to another. Raises "not_published".
create or replace function public.studio_save_collector(p_workflow_id uuid, p_url text, p_headers jsonb, p_content boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  perform 1 from public.studio_publications as own where own.workflow_id = p_workflow_id and own.owner = caller;
  if not found then
    raise exception 'not_published' using errcode = 'P0002';
  end if;
  if p_url is null then
    delete from private.studio_collectors as stored where stored.workflow_id = p_workflow_id;
    return;
  end if;
  insert into private.studio_collectors as stored (workflow_id, url, headers, content)
  values (p_workflow_id, p_url, coalesce(p_headers, '{}'::jsonb), p_content)
  on conflict (workflow_id) do update set
    url = excluded.url, content = excluded.content, problem = null,
    headers = case when p_headers is null and stored.url = excluded.url then stored.headers else excluded.headers end;
end;
$$;

select private.studio_grant_calls('public.studio_save_collector(uuid, text, jsonb, boolean)', 'authenticated', 'service_role');

-- Where an account's traces go: { url, headers, content }; null where no collector is named.
create or replace function public.studio_read_collector(p_workflow_id uuid, p_owner uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('url', collectors.url, 'headers', collectors.headers, 'content', collectors.content)
  from private.studio_collectors as collectors
  join public.studio_publications as publications on publications.workflow_id = collectors.workflow_id
  where collectors.workflow_id = p_workflow_id and publications.owner = p_owner;
$$;

select private.studio_grant_calls('public.studio_read_collector(uuid, uuid)', 'service_role');

-- What a run's trace is made of, as it is stored: { events, titles }, the titles of its nodes by id; null for a run of which no trace
-- waits. Streamed pieces are left out, and without p_content what was said.
create or replace function public.studio_read_trace(p_run_id uuid, p_workflow_id uuid, p_owner uuid, p_content boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(
        case when p_content then events.event
          when events.type = 'model-response' then events.event - array['message', 'input', 'output', 'text']
          else events.event - array['messages', 'tools', 'input', 'output', 'text', 'data', 'preview'] end
        order by events.seq), '[]'::jsonb)
      from (
        select stored.seq, stored.type, stored.event from public.studio_run_events as stored
        where stored.run_id = runs.id and stored.type not in ('text-delta', 'reasoning-delta')
        order by stored.seq limit 20000
      ) as events
    ),
    'titles', (
      select coalesce(jsonb_object_agg(nodes.key, nodes.value ->> 'title'), '{}'::jsonb)
      from public.studio_published as versions, jsonb_each(versions.document -> 'nodes') as nodes
      where versions.workflow_id = runs.workflow_id and versions.version = runs.published_version
    )
  )
  from public.studio_runs as runs
  join private.studio_trace_exports as exports on exports.run_id = runs.id
  where runs.id = p_run_id and runs.workflow_id = p_workflow_id and runs.owner = p_owner;
$$;

select private.studio_grant_calls('public.studio_read_trace(uuid, uuid, uuid, boolean)', 'service_role');

-- Says what became of traces: sent, or why not. With p_again they are sent again after 30 seconds, and each time after four times as
-- long, six times in all: for about three hours.
create or replace function public.studio_end_traces(p_workflow_id uuid, p_owner uuid, p_runs jsonb, p_problem text, p_again boolean)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_trace_exports as exports
  where exports.workflow_id = p_workflow_id and exports.owner = p_owner and p_runs ? exports.run_id::text
    and (p_problem is null or not p_again or exports.attempts >= 6);
  update private.studio_trace_exports as exports set
    worker = null, next_at = now() + interval '30 seconds' * (4 ^ (greatest(exports.attempts, 1) - 1))
  where exports.workflow_id = p_workflow_id and exports.owner = p_owner and p_runs ? exports.run_id::text;
  update private.studio_collectors as collectors set
    sent_at = case when p_problem is null then now() else collectors.sent_at end, problem = left(p_problem, 1000)
  from public.studio_publications as publications
  where collectors.workflow_id = p_workflow_id and publications.workflow_id = p_workflow_id
    and publications.owner = p_owner;
end;
$$;

select private.studio_grant_calls('public.studio_end_traces(uuid, uuid, jsonb, text, boolean)', 'service_role');

create or replace function private.studio_is_slug_free(p_slug text) returns boolean
language sql stable set search_path = ''
as $$
  select not exists (select 1 from public.studio_publications as publications where publications.slug = p_slug);
$$;

select private.studio_grant_calls('private.studio_is_slug_free(text)');

-- The address itself where no workflow has it, else the first of `address-2`, `address-3` … that is free.
create or replace function public.studio_free_slug(p_slug text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  candidate text := p_slug;
  suffix text;
begin
  if caller is null or p_slug !~ '^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$' then
    raise exception 'invalid_slug' using errcode = '22023';
  end if;
  for number in 2..100 loop
    exit when private.studio_is_slug_free(candidate);
    suffix := '-' || number;
    candidate := rtrim(left(p_slug, 60 - length(suffix)), '-') || suffix;
  end loop;
  return candidate;
end;
$$;

select private.studio_grant_calls('public.studio_free_slug(text)', 'authenticated', 'service_role');

-- For the rest of the transaction nobody is waited for longer than a second.
create or replace function private.studio_limit_waiting() returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform set_config('lock_timeout', '1s', true);
end;
$$;

select private.studio_grant_calls('private.studio_limit_waiting()');

-- The triggers of an owner that are due or whose next time is not known yet.
create or replace function private.studio_due_triggers(p_owner uuid, p_limit integer) returns setof public.studio_triggers
language sql stable security definer set search_path = ''
as $$
  select triggers.* from public.studio_triggers as triggers
  where triggers.owner = p_owner and triggers.enabled and triggers.problem is null
    and (triggers.next_at is null or triggers.next_at <= now())
  order by triggers.next_at nulls first
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_due_triggers(uuid, integer)', 'studio_worker');

-- The schedules of the caller's published workflow. `last_run` is { id, status, ending, startedAt, error }, null where none is
-- stored any more, or none ever started.
create or replace function public.studio_schedules(p_workflow_id uuid) returns table (
  id uuid, node_id text, cron text, time_zone text, missed text, enabled boolean, next_at timestamptz, last_at timestamptz,
  skipped_at timestamptz, problem text, start_problem text, refused_at timestamptz, last_run jsonb
)
language sql stable security invoker set search_path = ''
as $$
  select triggers.id, triggers.node_id, triggers.cron, triggers.time_zone, triggers.missed, triggers.enabled,
    triggers.next_at, triggers.last_at, triggers.skipped_at, triggers.problem, triggers.start_problem, triggers.refused_at,
    last.run
  from public.studio_triggers as triggers
  left join lateral (
    select jsonb_build_object(
      'id', runs.id, 'status', runs.status, 'ending', runs.ending, 'startedAt', runs.started_at,
      'error', runs.error ->> 'message'
    ) as run
    from public.studio_runs as runs
    where runs.trigger_id = triggers.id and runs.owner = (select auth.uid())
    order by runs.started_at desc limit 1
  ) as last on true
  where triggers.workflow_id = p_workflow_id and triggers.owner = (select auth.uid())
  order by triggers.node_id;
$$;

select private.studio_grant_calls('public.studio_schedules(uuid)', 'authenticated', 'service_role');

-- Ends waits of an owner whose time is over, 200 at most, and lets their runs go on. Gives how many there were.
create or replace function private.studio_expire_waits(p_owner uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  expired integer;
begin
  perform private.studio_limit_waiting();
  with due as (
    select waits.run_id, waits.call_id from public.studio_run_waits as waits
    where waits.owner = p_owner and waits.decision is null and waits.expires_at <= now()
    order by waits.expires_at
    limit 200
    for update skip locked
  ), over as (
    update public.studio_run_waits as waits set
      decided_at = now(),
      decision = case when waits.kind = 'time' then '{"approved": true}'::jsonb
        else '{"approved": false, "expired": true, "reason": "Nobody answered in time."}'::jsonb end
    from due
    where waits.run_id = due.run_id and waits.call_id = due.call_id
    returning waits.run_id
  ), woken as (
    update public.studio_runs as runs set status = 'queued', queued_at = now()
    from over
    where runs.id = over.run_id and runs.status = 'waiting'
  )
  select count(*) into expired from over;
  if expired > 0 then
    perform private.studio_wake_workers();
  end if;
  return expired;
end;
$$;

select private.studio_grant_calls('private.studio_expire_waits(uuid)', 'studio_worker');

-- Workers that are gone are forgotten when another one comes.
create or replace function private.studio_forget_workers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_workers as workers where workers.seen_at < now() - interval '1 day';
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_forget_workers()');

-- Ends runs of an owner that p_most_lost workers in a row went away with, 50 at most. Gives how many there were.
create or replace function private.studio_fail_lost_runs(p_owner uuid, p_most_lost integer default 5) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  failed integer;
begin
  perform private.studio_limit_waiting();
  update public.studio_runs as runs set
    status = 'failed', ended_at = now(), lease_until = null,
    error = jsonb_build_object(
      'code', 'internal', 'retryable', true,
      'message', 'The worker went away ' || runs.lost + 1 || ' times at the same place of this run.',
      'hint', 'Look at the last step that is recorded: it may need more memory than the worker has. Then start the run again.')
  where runs.id in (
    select lost.id from public.studio_runs as lost
    where lost.owner = p_owner and lost.status = 'running' and lost.source <> 'editor' and lost.lease_until < now()
      and lost.lost + 1 >= p_most_lost
    order by lost.lease_until
    limit 50
    for update skip locked
  );
  get diagnostics failed = row_count;
  return failed;
end;
$$;

select private.studio_grant_calls('private.studio_fail_lost_runs(uuid, integer)', 'studio_worker');

-- Takes the next run for p_lease_ms, or gives no row: of p_owner, or of anybody. Strict: claims of one owner come one after the
-- other, and a run whose workflow or owner has as many running as it may is passed over. An owner whose run cannot be taken is set
-- aside, and the next one is served.
create or replace function private.studio_claim_run(
  p_worker text, p_lease_ms integer, p_most_of_owner integer default 10, p_most_lost integer default 5,
  p_owner uuid default null
) returns table (
  id uuid, owner uuid, workflow_id uuid, workflow_name text, source text, published_version integer, attempt integer,
  input jsonb, forked_from jsonb, trigger_id uuid, queued_at timestamptz, started_at timestamptz, cancelled boolean,
  limits jsonb, document jsonb, workflows jsonb
)
language plpgsql security definer set search_path = ''
as $$
declare
  claimed public.studio_runs%rowtype;
  candidate uuid;
  -- Owners who have been looked at, and those of them with whom another worker was busy.
  tried uuid[] := '{}';
  busy uuid[] := '{}';
  waits boolean := false;
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    -- What another worker went away with comes first.
    select runs.owner into candidate
    from public.studio_runs as runs
    where runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now() and runs.lost + 1 < p_most_lost
      and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
      and not private.studio_is_set_aside('claims', runs.owner)
    order by runs.lease_until
    limit 1;
    if not found then
      select runs.owner into candidate
      from public.studio_runs as runs
        where runs.status = 'queued' and (p_owner is null or runs.owner = p_owner) and runs.owner <> all (tried)
        and not private.studio_is_set_aside('claims', runs.owner)
      order by runs.queued_at
      limit 1;
    end if;
    if not found then
      exit when waits or cardinality(busy) = 0;
      waits := true;
      tried := array(select unnest(tried) except select unnest(busy));
      continue;
    end if;
    tried := tried || candidate;
    if not waits and not pg_try_advisory_xact_lock(7423004, hashtext(candidate::text)) then
      busy := busy || candidate;
      continue;
    end if;
    if waits then
      begin
        perform pg_advisory_xact_lock(7423004, hashtext(candidate::text));
      exception when lock_not_available or deadlock_detected then
        continue;
      end;
    end if;

    begin
      select runs.* into claimed
      from public.studio_runs as runs
      where runs.owner = candidate and runs.status = 'running' and runs.source <> 'editor' and runs.lease_until < now()
        and runs.lost + 1 < p_most_lost
        and private.studio_may_run(runs.owner, runs.workflow_id, true, p_most_of_owner)
      order by runs.lease_until
      limit 1
      for update skip locked;
      if not found then
        select runs.* into claimed
        from public.studio_runs as runs
        where runs.owner = candidate and runs.status = 'queued'
          and private.studio_may_run(runs.owner, runs.workflow_id, runs.attempt > 0, p_most_of_owner)
        order by runs.queued_at
        limit 1
        for update skip locked;
      end if;
      if found then
        update public.studio_runs as runs set
          status = 'running', worker = p_worker, attempt = runs.attempt + 1,
          lost = case when claimed.status = 'running' then runs.lost + 1 else 0 end,
          lease_until = clock_timestamp() + make_interval(secs => p_lease_ms / 1000.0),
          started_at = case when runs.attempt = 0 then now() else runs.started_at end
        where runs.id = claimed.id
        returning runs.* into claimed;
        perform private.studio_end_chore('claims', candidate);
        return query
          select claimed.id, claimed.owner, claimed.workflow_id, workflows.name, claimed.source, claimed.published_version,
            claimed.attempt, claimed.input -> 'value', claimed.forked_from, claimed.trigger_id, claimed.queued_at,
            claimed.started_at, claimed.cancel_requested_at is not null, publications.limits, versions.document,
            versions.workflows
          from public.studio_workflows as workflows
          join public.studio_publications as publications on publications.workflow_id = workflows.id
          join public.studio_published as versions
            on versions.workflow_id = workflows.id and versions.version = claimed.published_version
          where workflows.id = claimed.workflow_id;
        if found then
          return;
        end if;
        update public.studio_runs as runs set
          status = 'failed', ended_at = now(), lease_until = null,
          error = jsonb_build_object(
            'code', 'internal', 'retryable', false, 'message', 'The published version of this run is gone.',
            'hint', 'Publish the workflow again and start a new run.')
        where runs.id = claimed.id;
        tried := array_remove(tried, candidate);
      end if;
    exception when others then
      -- Whoever names the owner notes it himself.
      if p_owner is not null then
        raise;
      end if;
      perform private.studio_note_chore('claims', candidate, sqlstate, sqlerrm);
    end;
  end loop;
end;
$$;

select private.studio_grant_calls('private.studio_claim_run(text, integer, integer, integer, uuid)', 'studio_worker');

-- Deletes what an owner keeps no longer, with his own settings, as him. Gives whether something may be left.
create or replace function private.studio_prune_owner(p_owner uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  subject constant text := current_setting('request.jwt.claim.sub', true);
  pruned integer := 0;
begin
  perform private.studio_limit_waiting();
  if not pg_try_advisory_xact_lock(7423005, hashtext(p_owner::text)) then
    return false;
  end if;
  perform set_config('request.jwt.claims', jsonb_build_object('sub', p_owner, 'role', 'authenticated')::text, true),
    set_config('request.jwt.claim.sub', p_owner::text, true);
  pruned := public.studio_prune_runs();
  if pruned < 50 then
    pruned := public.studio_prune_conversations();
    perform public.studio_prune_trash();
  end if;
  perform set_config('request.jwt.claims', coalesce(claims, ''), true),
    set_config('request.jwt.claim.sub', coalesce(subject, ''), true);
  if pruned >= 50 then
    return true;
  end if;
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_prune_owner(uuid)', 'studio_worker');

-- Takes the notice of an owner that has been due longest, and gives its id; null when none is. It comes due again soon, unless
-- somebody says what became of it.
create or replace function private.studio_claim_notice(p_worker text, p_owner uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  claimed uuid;
begin
  perform private.studio_limit_waiting();
  update private.studio_notices as due set
    attempts = due.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
  where due.id = (
    select first.id from private.studio_notices as first where first.owner = p_owner and first.next_at <= now()
    order by first.next_at limit 1 for update skip locked
  )
  returning due.id into claimed;
  return claimed;
end;
$$;

select private.studio_grant_calls('private.studio_claim_notice(text, uuid)', 'studio_worker');

-- Takes runs of one publication of an owner whose traces are due, those that have waited longest: { workflowId, runs }; null when
-- none is. They come due again soon, unless somebody says what became of them.
create or replace function private.studio_claim_traces(p_worker text, p_most integer, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  chosen uuid;
  claimed jsonb;
begin
  perform private.studio_limit_waiting();
  select exports.workflow_id into chosen from private.studio_trace_exports as exports
  where exports.owner = p_owner and exports.next_at <= now() order by exports.next_at limit 1 for update skip locked;
  if not found then
    return null;
  end if;
  with due as (
    select exports.run_id from private.studio_trace_exports as exports
    where exports.workflow_id = chosen and exports.next_at <= now()
    order by exports.next_at limit p_most for update skip locked
  ), taken as (
    update private.studio_trace_exports as exports set
      attempts = exports.attempts + 1, next_at = now() + interval '2 minutes', worker = p_worker
    from due where due.run_id = exports.run_id
    returning exports.run_id
  )
  select jsonb_agg(taken.run_id) into claimed from taken;
  return jsonb_build_object('workflowId', chosen, 'runs', coalesce(claimed, '[]'::jsonb));
end;
$$;

select private.studio_grant_calls('private.studio_claim_traces(text, integer, uuid)', 'studio_worker');

-- Adds to what a workflow and a key have spent today (UTC). Those that are gone have no spending.
create or replace function private.studio_count_spending(p_workflow_id uuid, p_api_key_id uuid, p_usd numeric) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
begin
  insert into private.studio_spending as spending (workflow_id, day, usd)
  select workflows.id, today, p_usd from public.studio_workflows as workflows where workflows.id = p_workflow_id
  on conflict (workflow_id, day) do update set usd = spending.usd + excluded.usd;
  if p_api_key_id is not null then
    insert into private.studio_key_spending as spending (key_id, day, usd)
    select keys.id, today, p_usd from public.studio_api_keys as keys where keys.id = p_api_key_id
    on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
  end if;
end;
$$;

select private.studio_grant_calls('private.studio_count_spending(uuid, uuid, numeric)');

-- A booking that nobody settled counts as spent, however its run ended: it was lost with its worker, or deleted.
create or replace function private.studio_count_lost_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_spending(old.workflow_id, old.api_key_id, old.usd);
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_count_lost_booking()');

create or replace function private.studio_end_bookings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_booked_calls as booked where booked.run_id = new.id;
  return null;
end;
$$;

select private.studio_grant_calls('private.studio_end_bookings()');

-- What each spending limit of a run leaves for its next call, in US dollars: of the run, the day and the month (UTC) of its
-- workflow, and those of its key. `left_usd` counts what is settled and what is booked, `unspent_usd` only what is settled.
create or replace function private.studio_money_left(p_run_id uuid, p_spent numeric, p_booked numeric)
returns table (cap text, cap_usd numeric, left_usd numeric, unspent_usd numeric)
language plpgsql stable security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  month_start constant date := date_trunc('month', today)::date;
begin
  -- One statement, so that a call which is settled meanwhile is seen before or after that, never in between.
  return query
    with run as (
      select runs.id, runs.workflow_id, runs.api_key_id, publications.limits, keys.limits as key_limits
      from public.studio_runs as runs
      join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
      left join public.studio_api_keys as keys on keys.id = runs.api_key_id
      where runs.id = p_run_id
    ), of_workflow as (
      select coalesce(sum(spending.usd) filter (where spending.day = today), 0) as day, coalesce(sum(spending.usd), 0) as month
      from private.studio_spending as spending
      where spending.workflow_id = (select run.workflow_id from run) and spending.day >= month_start
    ), of_key as (
      select coalesce(sum(spending.usd) filter (where spending.day = today), 0) as day, coalesce(sum(spending.usd), 0) as month
      from private.studio_key_spending as spending
      where spending.key_id = (select run.api_key_id from run) and spending.day >= month_start
    ), booked as (
      select
        coalesce(sum(others.usd) filter (where others.workflow_id = (select run.workflow_id from run)), 0) as of_workflow,
        coalesce(sum(others.usd) filter (where others.api_key_id = (select run.api_key_id from run)), 0) as of_key
      from private.studio_booked_calls as others
      where others.run_id <> p_run_id and (
        others.workflow_id = (select run.workflow_id from run) or others.api_key_id = (select run.api_key_id from run))
    ), caps as (
      select 'run' as name, (run.limits ->> 'runUsd')::numeric as usd, p_spent as spent, p_booked as under_way from run
      union all
      select 'day', (run.limits ->> 'dayUsd')::numeric, of_workflow.day, booked.of_workflow + p_booked
      from run, of_workflow, booked
      union all
      select 'month', (run.limits ->> 'monthUsd')::numeric, of_workflow.month, booked.of_workflow + p_booked
      from run, of_workflow, booked
      union all
      select 'keyDay', (run.key_limits ->> 'dayUsd')::numeric, of_key.day, booked.of_key + p_booked from run, of_key, booked
      union all
      select 'keyMonth', (run.key_limits ->> 'monthUsd')::numeric, of_key.month, booked.of_key + p_booked
      from run, of_key, booked
    )
    select caps.name, caps.usd, caps.usd - caps.spent - caps.under_way, caps.usd - caps.spent
    from caps where caps.usd is not null;
end;
$$;

select private.studio_grant_calls('private.studio_money_left(uuid, numeric, numeric)');

-- Settles what a run has spent (p_spent) and what it has under way (p_booked), both since its beginning, and books one more
-- call: at least p_min, at most p_max, null for none. Gives { state }: 'fenced'; 'free', no limit applies; 'ok' with `usd`, what
-- was booked; 'busy', there is room once calls under way are settled; 'full' with `cap` and `capUsd`. Bookings of one workflow,
-- and of one key, come one after the other.
create or replace function private.studio_book_call(
  p_run_id uuid, p_attempt integer, p_spent numeric, p_booked numeric, p_min numeric, p_max numeric
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  tightest record;
  usd numeric := 0;
  -- Dollars are sums of rounded numbers.
  room constant numeric := 0.000000001;
begin
  select runs.workflow_id, runs.api_key_id into run from public.studio_runs as runs where runs.id = p_run_id;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('spending ' || run.workflow_id::text, 0));
  if run.api_key_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('spending ' || run.api_key_id::text, 0));
  end if;
  perform 1 from public.studio_runs as runs
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source <> 'editor'
  for update;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  perform private.studio_book_spending(p_run_id, p_spent);
  update private.studio_booked_calls as booked set usd = p_booked where booked.run_id = p_run_id and booked.usd <> p_booked;
  if p_max is not null then
    select * into tightest from private.studio_money_left(p_run_id, p_spent, p_booked) as caps order by caps.left_usd limit 1;
    if not found then
      return jsonb_build_object('state', 'free');
    end if;
    if tightest.left_usd + room < p_min then
      if (select min(caps.unspent_usd) from private.studio_money_left(p_run_id, p_spent, p_booked) as caps) + room >= p_min then
        return jsonb_build_object('state', 'busy');
      end if;
      select * into tightest from private.studio_money_left(p_run_id, p_spent, p_booked) as caps
      order by caps.unspent_usd limit 1;
      return jsonb_build_object('state', 'full', 'cap', tightest.cap, 'capUsd', tightest.cap_usd);
    end if;
    usd := greatest(p_min, least(p_max, tightest.left_usd));
  end if;
  if usd > 0 then
    insert into private.studio_booked_calls as booked (run_id, workflow_id, api_key_id, usd)
    values (p_run_id, run.workflow_id, run.api_key_id, p_booked + usd)
    on conflict (run_id) do update set usd = excluded.usd;
  end if;
  return jsonb_build_object('state', 'ok', 'usd', usd);
end;
$$;

select private.studio_grant_calls('private.studio_book_call(uuid, integer, numeric, numeric, numeric, numeric)', 'studio_worker');

-- A limit in money that is new holds for every model; a version that becomes live is looked at again.
create or replace function private.studio_forget_unknown_prices() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] and not old.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] then
    update public.studio_published as versions set allows_unknown_prices = false
    where versions.workflow_id = new.workflow_id and versions.allows_unknown_prices;
    new.unknown_prices := null;
  end if;
  if new.live is distinct from old.live then
    new.unknown_prices := null;
  end if;
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_forget_unknown_prices()');

-- Whether a run is under a limit in money, and whether models without a known price may be called nevertheless:
-- { limited, allowed }. p_models: those that its workflow has, [text]; where they are called uncounted, the publication is marked
-- and its owner is told, once.
create or replace function private.studio_check_unknown_prices(p_run_id uuid, p_models jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  run record;
  limited boolean;
  allowed boolean;
begin
  select runs.workflow_id, runs.source, runs.published_version, publications.limits, publications.live,
    publications.unknown_prices, keys.limits as key_limits, versions.allows_unknown_prices as version_allows,
    coalesce(keys.allows_unknown_prices, true) as key_allows
  into run
  from public.studio_runs as runs
  join public.studio_publications as publications on publications.workflow_id = runs.workflow_id
  join public.studio_published as versions
    on versions.workflow_id = runs.workflow_id and versions.version = runs.published_version
  left join public.studio_api_keys as keys on keys.id = runs.api_key_id
  where runs.id = p_run_id;
  if not found then
    return jsonb_build_object('limited', false, 'allowed', false);
  end if;
  limited := run.limits ?| array['runUsd', 'dayUsd', 'monthUsd'] or coalesce(run.key_limits ?| array['dayUsd', 'monthUsd'], false);
  allowed := run.version_allows and (run.key_allows or not coalesce(run.key_limits ?| array['dayUsd', 'monthUsd'], false));
  if limited and allowed and p_models <> '[]'::jsonb and run.live = run.published_version
    and run.unknown_prices is distinct from p_models then
    update public.studio_publications as own set unknown_prices = p_models where own.workflow_id = run.workflow_id;
    if run.source <> 'failure' then
      perform private.studio_tell_failure(
        run.workflow_id, 'unknown prices ' || run.published_version, jsonb_build_object(
          'kind', 'unknown-prices', 'models', p_models,
          'message', 'A spending limit does not count models whose price is not known. Enter their prices in the workflow '
            || '(0 for a server of your own) and publish it again.'));
    end if;
  end if;
  return jsonb_build_object('limited', limited, 'allowed', allowed);
end;
$$;

select private.studio_grant_calls('private.studio_check_unknown_prices(uuid, jsonb)', 'studio_worker');

-- Who gave the input of a run that is to be stored: 'untrusted', 'trusted' or null. Every source has its rule, as in
-- src/engine/trust/run-sources.ts; one without a rule starts nothing.
create or replace function private.studio_callers_of(p_run public.studio_runs) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  before record;
  marks boolean;
begin
  -- A run that goes on with another's recording holds what that one was given.
  if p_run.forked_from ->> 'runId' is not null then
    select runs.callers, runs.source into before from public.studio_runs as runs
    where runs.id::text = p_run.forked_from ->> 'runId' and runs.owner = p_run.owner;
    if before.callers is not null or before.source = 'chat' then
      return coalesce(before.callers, 'untrusted');
    end if;
  end if;
  if p_run.source in ('editor', 'manual', 'schedule') then
    return null;
  end if;
  select versions.marks_callers into marks from public.studio_published as versions
  where versions.workflow_id = p_run.workflow_id and versions.version = p_run.published_version;
  case p_run.source
    when 'failure' then
      -- An error may quote anything that the failed run has read.
      return case when marks and exists (
        select 1 from public.studio_runs as failed
        where failed.owner = p_run.owner and failed.id::text = p_run.input #>> '{value,run,id}' and (
          failed.callers = 'untrusted' or exists (
            select 1 from public.studio_run_events as events
            where events.run_id = failed.id and events.type in ('run-start', 'run-end') and events.event ? 'untrusted'))
      ) then 'untrusted' end;
    when 'api', 'webhook', 'chat', 'mcp' then
      if exists (
        select 1 from public.studio_doors as doors
        where doors.workflow_id = p_run.workflow_id and doors.config -> 'callersTrusted' = 'true'::jsonb
          and doors.kind = case p_run.source when 'webhook' then 'hook' else p_run.source end
      ) then
        return 'trusted';
      end if;
      return case when marks or p_run.source = 'chat' then 'untrusted' end;
    else
      raise exception 'source_without_trust' using errcode = '22023', detail = p_run.source;
  end case;
end;
$$;

select private.studio_grant_calls('private.studio_callers_of(public.studio_runs)');

create or replace function private.studio_set_callers() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.callers := private.studio_callers_of(new);
  return new;
end;
$$;

select private.studio_grant_calls('private.studio_set_callers()');

-- Who gave the input of a run that a worker has claimed.
create or replace function private.studio_run_callers(p_run_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select runs.callers from public.studio_runs as runs where runs.id = p_run_id;
$$;

select private.studio_grant_calls('private.studio_run_callers(uuid)', 'studio_worker');

-- From now on a version of the caller tells callers from its owner. Raises "version_not_found".
create or replace function public.studio_mark_callers(p_workflow_id uuid, p_version integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_published as own set marks_callers = true
  where own.workflow_id = p_workflow_id and own.version = p_version and own.owner = caller;
  if not found then
    raise exception 'version_not_found' using errcode = 'P0002';
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_mark_callers(uuid, integer)', 'authenticated', 'service_role');

create trigger studio_runs_tell_failure after update of status on public.studio_runs
  for each row when (
    new.status = 'failed' and old.status is distinct from new.status and new.source not in ('editor', 'failure')
  )
  execute function private.studio_tell_of_run();
create trigger studio_runs_forget_waits
after update of status on public.studio_runs
for each row
when (new.status in ('completed', 'failed', 'cancelled') and old.status is distinct from new.status)
execute function private.studio_forget_waits();
create trigger studio_runs_count_ended after update of status on public.studio_runs
  for each row
  when (
    new.source <> 'editor' and old.status in ('queued', 'running', 'waiting')
    and new.status in ('completed', 'failed', 'cancelled')
  )
  execute function private.studio_count_ended_run();
create trigger studio_runs_queue_trace after update of status on public.studio_runs
  for each row
  when (
    new.source <> 'editor' and old.status in ('queued', 'running', 'waiting')
    and new.status in ('completed', 'failed', 'cancelled')
  )
  execute function private.studio_queue_trace();
create trigger studio_runs_end_bookings after update of status on public.studio_runs
  for each row when (
    new.source <> 'editor' and old.status is distinct from new.status
    and new.status not in ('queued', 'running', 'waiting')
  )
  execute function private.studio_end_bookings();
create trigger studio_runs_callers before insert on public.studio_runs
  for each row when (new.source <> 'editor' or new.callers is not null)
  execute function private.studio_set_callers();

create trigger studio_publications_forget_unknown_prices before update of limits, live on public.studio_publications
  for each row execute function private.studio_forget_unknown_prices();

create trigger studio_triggers_tell_problem after update of problem on public.studio_triggers
  for each row when (new.problem is not null and old.problem is distinct from new.problem)
  execute function private.studio_tell_of_trigger();

create trigger studio_workers_forget after insert on private.studio_workers
  for each row execute function private.studio_forget_workers();

create trigger studio_booked_calls_count_lost after delete on private.studio_booked_calls
  for each row when (old.usd > 0) execute function private.studio_count_lost_booking();

select private.studio_count_table('public.studio_publications', 'rows', 'octet_length(item.limits::text)');
select private.studio_count_table('public.studio_published', 'rows',
  'octet_length(item.document::text) + octet_length(item.workflows::text)');
select private.studio_count_table('public.studio_triggers', 'rows', 'octet_length(item.input::text)');
select private.studio_count_table('public.studio_run_waits', 'rows',
  'octet_length(item.question::text) + coalesce(octet_length(item.decision::text), 0)');

reset check_function_bodies;
