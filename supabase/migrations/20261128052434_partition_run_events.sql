-- Events of runs lie in partitions, by when their run was added. The table that was there becomes the first one, as it is.
-- Subject: runs
set check_function_bodies = off;

-- Runs of before have no such time: their events lie in the first partition, and so do those that they add.
alter table public.studio_runs add column added_at timestamptz not null default '-infinity';
-- Whole milliseconds, which are as many as programs that read it can tell apart.
alter table public.studio_runs alter column added_at set default date_trunc('milliseconds', now());
alter table public.studio_runs add constraint studio_runs_added unique (added_at, id, owner);
alter policy studio_runs_insert on public.studio_runs with check (
  owner = (select auth.uid()) and source = 'editor' and status not in ('queued', 'waiting')
  and published_version is null and trigger_id is null and idempotency_key is null and attempt = 0 and lost = 0
  and worker is null and lease_until is null and queued_at is null and cancel_requested_at is null
  and api_key_id is null and subject is null and added_at = date_trunc('milliseconds', now())
);

drop trigger studio_usage_insert on public.studio_run_events;
drop trigger studio_usage_update on public.studio_run_events;
drop trigger studio_usage_delete on public.studio_run_events;
drop policy studio_run_events_insert on public.studio_run_events;
drop policy studio_run_events_select on public.studio_run_events;
alter table public.studio_run_events rename to studio_run_events_before;
alter table public.studio_run_events_before set schema private;
alter table private.studio_run_events_before
  drop constraint studio_run_events_pkey,
  drop constraint studio_run_events_run_id_owner_fkey,
  add column run_added_at timestamptz not null default '-infinity';
alter table private.studio_run_events_before alter column run_added_at drop default;
select private.studio_grant_rows('private.studio_run_events_before');

create table public.studio_run_events (
  run_id uuid not null,
  seq integer not null check (seq >= 0),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  at timestamptz not null,
  type text not null check (char_length(type) between 1 and 100),
  event jsonb not null check (jsonb_typeof(event) = 'object'),
  -- Of the run, so that all events of a run lie in one partition.
  run_added_at timestamptz not null,
  primary key (run_id, seq, run_added_at),
  foreign key (run_added_at, run_id, owner) references public.studio_runs (added_at, id, owner) on delete cascade
) partition by range (run_added_at);

create index studio_run_events_of_owner_and_run on public.studio_run_events (owner, run_id);

create policy studio_run_events_insert on public.studio_run_events for insert to authenticated with check (
  owner = (select auth.uid()) and exists (
    select 1 from public.studio_runs as runs where runs.id = run_id and runs.source = 'editor'
  )
);
select private.studio_grant_rows('public.studio_run_events', 'select, insert');
select private.studio_count_table('public.studio_run_events', 'events', 'octet_length(item.event::text)');

-- For runs of months without a partition.
create table private.studio_run_events_other partition of public.studio_run_events default;
select private.studio_grant_rows('private.studio_run_events_other');
alter table public.studio_run_events attach partition private.studio_run_events_before
  for values from (minvalue) to ('2026-11-01 00:00:00+00');

-- Deletions of accounts that are under way.
update private.studio_deletions
set steps = replace(steps::text, 'public.studio_run_events"', 'private.studio_run_events_before"')::jsonb;

-- The tables with rows of accounts, those first on which no other hangs, and how their rows of one account ($1) are found: by an
-- index on the owner, or by way of the rows that they hang on. Tables for which there is neither go with those. A partitioned table
-- stands for its partitions, each of which is one of them.
create or replace function private.studio_owned_tables() returns table (name text, condition text)
language sql stable set search_path = ''
as $$
  with recursive tables as (
    select classes.oid, format('%I.%I', spaces.nspname, classes.relname) as name,
      (select columns.attnum from pg_catalog.pg_attribute as columns
       where columns.attrelid = classes.oid and columns.attname = 'owner' and not columns.attisdropped) as owner_column
    from pg_catalog.pg_class as classes
    join pg_catalog.pg_namespace as spaces on spaces.oid = classes.relnamespace
    where spaces.nspname in ('public', 'private') and classes.relkind = 'r'
      and classes.oid <> 'private.studio_deletions'::regclass
  ), by_owner as (
    select tables.oid from tables
    where exists (
      select from pg_catalog.pg_index as indexes
      where indexes.indrelid = tables.oid and indexes.indisvalid and indexes.indpred is null
        and indexes.indkey[0] = tables.owner_column
    )
  ), parents as (
    select distinct keys.conrelid as child, keys.confrelid as parent, keys.conkey[1] as child_column,
      keys.confkey[1] as parent_column
    from pg_catalog.pg_constraint as keys
    where keys.contype = 'f' and keys.confdeltype = 'c' and keys.conrelid <> keys.confrelid
  ), found as (
    select tables.oid, tables.name, 'own.owner = $1' as condition
    from tables where tables.oid in (select by_owner.oid from by_owner)
    union all
    select * from (
      select distinct on (tables.oid) tables.oid, tables.name,
        format('own.%I = any (array(select parent.%I from %s as parent where parent.owner = $1))',
          child_columns.attname, parent_columns.attname, parent_tables.name)
      from tables
      join parents on parents.child = tables.oid
      join tables as parent_tables on parent_tables.oid = parents.parent
      join pg_catalog.pg_attribute as child_columns
        on child_columns.attrelid = parents.child and child_columns.attnum = parents.child_column
      join pg_catalog.pg_attribute as parent_columns
        on parent_columns.attrelid = parents.parent and parent_columns.attnum = parents.parent_column
      where tables.oid not in (select by_owner.oid from by_owner)
        and parents.parent in (select by_owner.oid from by_owner)
      order by tables.oid, parent_tables.name
    ) as by_parent
  ), depths as (
    select tables.oid, 0 as depth from tables
    union
    select keys.conrelid, depths.depth + 1
    from depths join pg_catalog.pg_constraint as keys on keys.confrelid = depths.oid
    where keys.contype = 'f' and keys.conrelid <> keys.confrelid and depths.depth < 20
  )
  select found.name, found.condition
  from found
  -- Conversations count their messages, and need not while both go.
  order by (select max(depths.depth) from depths where depths.oid = found.oid) desc,
    found.name <> 'public.studio_memory_conversations', found.name;
$$;

select private.studio_grant_calls('private.studio_owned_tables()');

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
      where events.run_id = runs.id and events.run_added_at = runs.added_at and events.seq > p_after order by events.seq limit p_limit
    ) as page
  ) as log on true
  where runs.id = p_run_id and runs.source <> 'editor';
$$;

select private.studio_grant_calls('public.studio_door_follow(uuid, integer, integer)', 'service_role');

-- The last 200 runs of a conversation of the caller that have ended, the oldest first. Very large outputs are left out.
create or replace function public.studio_conversation_runs(p_workflow_id uuid, p_session_id text)
returns table (
  id uuid, status text, started_at timestamptz, question text, output jsonb, error jsonb, is_remembered boolean
)
language sql stable security invoker set search_path = ''
as $$
  select latest.id, latest.status, latest.started_at, latest.question, latest.output, latest.error,
    -- Of a completed run it is not asked.
    latest.status = 'completed' or exists (
      select 1 from public.studio_run_events as events
      where events.run_id = latest.id and events.run_added_at = latest.added_at and events.type = 'memory-save' and not events.event ? 'parentCallId'
    )
  from (
    select runs.id, runs.added_at, runs.status, runs.started_at, runs.error,
      case when jsonb_typeof(runs.input -> 'value' -> 'message') = 'string' then runs.input -> 'value' ->> 'message' end as question,
      case when octet_length(runs.output::text) < 200000 then runs.output -> 'value' end as output
    from public.studio_runs as runs
    where runs.workflow_id = p_workflow_id
      and left(runs.input -> 'value' ->> 'sessionId', 200) = left(p_session_id, 200)
      and runs.input -> 'value' ->> 'sessionId' = p_session_id
      and runs.status in ('completed', 'failed', 'cancelled', 'interrupted')
      and not runs.is_trial and runs.forked_from is null
    order by runs.started_at desc limit 200
  ) as latest
  order by latest.started_at;
$$;

select private.studio_grant_calls('public.studio_conversation_runs(uuid, text)', 'authenticated', 'service_role');

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
  -- In these words, or Postgres may look for it among the leases of all runs.
  where runs.id = p_run_id and runs.attempt = p_attempt and runs.status = 'running' and runs.source is distinct from 'editor'
  returning runs.owner, runs.added_at, runs.cancel_requested_at into run;
  if not found then
    return jsonb_build_object('state', 'fenced');
  end if;
  insert into public.studio_run_events (run_id, run_added_at, seq, owner, at, type, event)
  select p_run_id, run.added_at, (one ->> 'seq')::integer, run.owner, to_timestamp((one ->> 'at')::numeric / 1000), one ->> 'type', one
  from jsonb_array_elements(p_events) as one
  -- An answer that got lost: the same attempt writes the same again.
  on conflict (run_id, seq, run_added_at) do nothing;
  if p_usd is not null then
    cap := private.studio_book_spending(p_run_id, p_usd);
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'state', case when run.cancel_requested_at is null then 'ok' else 'cancelled' end, 'cap', cap));
end;
$$;

select private.studio_grant_calls('private.studio_append_run_events(uuid, integer, jsonb, integer, numeric)', 'studio_worker');

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
            where events.run_id = failed.id and events.run_added_at = failed.added_at and events.type in ('run-start', 'run-end') and events.event ? 'untrusted'))
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
    where events.run_id = p_run.id and events.run_added_at = p_run.added_at and events.type = 'tool-call-end' and events.event ->> 'toolName' is not null
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

-- Stores the last events of a run and its end, both or neither; 'ok' or 'fenced'. The start is counted back from the end by the
-- events, since a worker reads the workflow between taking the run and its first event; where they found no room, it stays.
-- p_end: { status, output, error, ending, totalTokens, costUsd, usage }.
create or replace function private.studio_finish_run(p_run_id uuid, p_attempt integer, p_events jsonb, p_end jsonb) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  added_at timestamptz;
  first_at timestamptz;
  last_at timestamptz;
begin
  if private.studio_append_run_events(
    p_run_id, p_attempt, p_events, 60000, (p_end ->> 'costUsd')::numeric
  ) ->> 'state' = 'fenced' then
    return 'fenced';
  end if;
  select runs.added_at into added_at from public.studio_runs as runs where runs.id = p_run_id;
  select stored.at into first_at from public.studio_run_events as stored
  where stored.run_id = p_run_id and stored.run_added_at = added_at and stored.seq = 0 and stored.type = 'run-start';
  select last.at into last_at
  from (
    select stored.at, stored.type from public.studio_run_events as stored
    where stored.run_id = p_run_id and stored.run_added_at = added_at
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
  -- Alone in its transaction, since it locks tables.
  if private.studio_arrange_run_events() then
    return true;
  end if;
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
  delete from public.studio_shared_runs as old where old.owner = p_owner and old.expires_at <= now();
  delete from private.studio_notices as old where old.owner = p_owner and old.created_at < now() - interval '40 days';
  delete from private.studio_chore_problems as old
  where old.owner = p_owner and old.last_at < now() - interval '2 days' and old.chore <> 'retention';
  insert into private.studio_pruned (owner) values (p_owner) on conflict (owner) do update set at = now();
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_prune_owner(uuid)', 'studio_worker');

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
        where stored.run_id = runs.id and stored.run_added_at = runs.added_at and stored.type not in ('text-delta', 'reasoning-delta')
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
            where events.run_id = p_run_id and events.run_added_at = runs.added_at and events.type in ('approval-end', 'form-end', 'wait-end')
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

-- A part of a run's log, in order. p_source is the run itself, or another run of the same owner whose recording it goes along.
create or replace function private.studio_run_log(p_run_id uuid, p_source uuid, p_from integer, p_limit integer)
returns table (event jsonb)
language sql stable security definer set search_path = ''
as $$
  select events.event from public.studio_run_events as events
  where events.run_id = p_source and events.seq >= p_from
    and events.run_added_at = (select source.added_at from public.studio_runs as source where source.id = p_source)
    and events.owner = (select runs.owner from public.studio_runs as runs where runs.id = p_run_id)
  order by events.seq
  limit p_limit;
$$;

select private.studio_grant_calls('private.studio_run_log(uuid, uuid, integer, integer)', 'studio_worker');

-- Gives the events of runs that were added in the month of p_at (UTC) a partition of their own, unless they have one. Rows of that
-- month that came before it move there from the default one; where these are very many they stay, and so does their month.
create or replace function private.studio_add_events_month(p_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  starts constant timestamptz := date_trunc('month', p_at at time zone 'utc') at time zone 'utc';
  ends constant timestamptz := (date_trunc('month', p_at at time zone 'utc') + interval '1 month') at time zone 'utc';
  name constant text := 'studio_run_events_' || to_char(p_at at time zone 'utc', 'YYYY_MM');
begin
  -- What was there before partitions reaches to here.
  if starts < '2026-11-01 00:00:00+00' or to_regclass('private.' || name) is not null then
    return false;
  end if;
  if (
    select count(*) from (
      select from private.studio_run_events_other as early
      where early.run_added_at >= starts and early.run_added_at < ends limit 100001
    ) as few
  ) > 100000 then
    return false;
  end if;
  -- Attaching a table keeps nobody from reading and writing the others; making it a part at once would.
  execute format('create table private.%I (like public.studio_run_events including all)', name);
  perform private.studio_grant_rows(format('private.%I', name)::regclass);
  execute format(
    'with moved as (
       delete from private.studio_run_events_other as early where early.run_added_at >= $1 and early.run_added_at < $2 returning *
     )
     insert into private.%I select * from moved', name) using starts, ends;
  execute format(
    'alter table public.studio_run_events attach partition private.%I for values from (%L) to (%L)', name, starts, ends);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_add_events_month(timestamptz)');

-- Keeps the events of runs in partitions, one for each month in which runs were added: makes those of this month and the next, and
-- drops one that is over once nobody keeps a run of it, one at a time. Whether it did anything. Where others are in its way
-- for half a second, it is left for another time.
create or replace function private.studio_arrange_run_events() returns boolean
language plpgsql security definer set search_path = '' set datestyle = 'ISO' set lock_timeout = '500ms'
as $$
declare
  part record;
  done boolean := false;
begin
  if not pg_try_advisory_xact_lock(7423006) then
    return false;
  end if;
  done := private.studio_add_events_month(now());
  done := private.studio_add_events_month(date_trunc('month', now()) + interval '1 month 1 day') or done;
  if done then
    return true;
  end if;
  for part in
    select bounds.part, coalesce(bounds.from_text::timestamptz, '-infinity') as starts, bounds.to_text::timestamptz as ends
    from (
      select inherits.inhrelid::regclass as part,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'FROM \(''([^'']+)''\)'))[1] as from_text,
        (regexp_match(pg_get_expr(classes.relpartbound, classes.oid), 'TO \(''([^'']+)''\)'))[1] as to_text
      from pg_catalog.pg_inherits as inherits
      join pg_catalog.pg_class as classes on classes.oid = inherits.inhrelid
      where inherits.inhparent = 'public.studio_run_events'::regclass
    ) as bounds
    where bounds.to_text::timestamptz <= now()
    order by 3
  loop
    done := private.studio_drop_events_part(part.part, part.starts, part.ends);
    exit when done;
  end loop;
  return done;
exception when lock_not_available or deadlock_detected then
  return false;
end;
$$;

select private.studio_grant_calls('private.studio_arrange_run_events()');

-- Drops a partition of the events of runs and takes what it held off its owners' usage, if none of them keeps a run whose events lie
-- there. Whether it is gone. Runs that nobody keeps any longer are deleted as ever, by the retention of their owners; while they
-- have very many events these go with them, row by row.
create or replace function private.studio_drop_events_part(p_part regclass, p_from timestamptz, p_to timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  is_kept boolean;
  held record;
begin
  select exists (
    select from public.studio_runs as runs
    left join public.studio_settings as settings on settings.owner = runs.owner and settings.name = 'run-retention'
    where runs.added_at >= p_from and runs.added_at < p_to and (
      runs.status in ('queued', 'waiting')
      or (runs.status = 'running' and runs.updated_at >= now() - interval '1 day')
      or (settings.owner is not null and settings.value ->> 'keepDays' is null)
      or runs.updated_at >= now() - make_interval(days => coalesce((settings.value ->> 'keepDays')::integer, 90))
    )
  ) into is_kept;
  if is_kept then
    return false;
  end if;
  execute format('lock table %s in share mode', p_part);
  execute format('select count(*) > 100000 from (select from %s limit 100001) as few', p_part) into is_kept;
  if is_kept then
    return false;
  end if;
  for held in execute format(
    'select part.owner, count(*) as events, sum(64 + octet_length(part.event::text))::bigint as bytes
     from %s as part group by part.owner', p_part)
  loop
    perform private.studio_add_usage(held.owner, 0, -held.bytes, -held.events, 0, 0);
  end loop;
  execute format('drop table %s', p_part);
  return true;
end;
$$;

select private.studio_grant_calls('private.studio_drop_events_part(regclass, timestamptz, timestamptz)');

-- Stores the events of the caller's run that are not stored yet; p_events: as they are in their log. p_end, for the last of
-- them: { status, output, error, total_tokens, cost_usd, ended_at, ending?, usage? } as the columns of public.studio_runs; the
-- last two stay as they are where they are missing. All or nothing.
create or replace function public.studio_record_run(p_run_id uuid, p_events jsonb, p_end jsonb default null) returns void
language plpgsql security invoker set search_path = ''
as $$
declare
  added_at constant timestamptz := (select runs.added_at from public.studio_runs as runs where runs.id = p_run_id);
begin
  insert into public.studio_run_events (run_id, run_added_at, seq, at, type, event)
  select p_run_id, added_at, (given.event ->> 'seq')::integer, to_timestamp((given.event ->> 'at')::double precision / 1000),
    given.event ->> 'type', given.event
  from jsonb_array_elements(p_events) as given (event)
  on conflict (run_id, seq, run_added_at) do nothing;
  if p_end is not null then
    update public.studio_runs as runs set
      status = p_end ->> 'status',
      output = nullif(p_end -> 'output', 'null'),
      error = nullif(p_end -> 'error', 'null'),
      ending = coalesce(p_end -> 'ending', runs.ending),
      total_tokens = (p_end ->> 'total_tokens')::integer,
      cost_usd = (p_end ->> 'cost_usd')::numeric,
      ended_at = (p_end ->> 'ended_at')::timestamptz,
      usage = coalesce(p_end -> 'usage', runs.usage)
    where runs.id = p_run_id;
  end if;
end;
$$;

select private.studio_grant_calls('public.studio_record_run(uuid, jsonb, jsonb)', 'authenticated', 'service_role');

-- This month and the next have a partition from now on; the first one goes where nothing was there before.
select private.studio_arrange_run_events() from generate_series(1, 2);
