-- What programs spend, by key; what keys may see; and decisions by key.

-- By day (UTC), with what calls under way may cost at most.
create table private.studio_key_spending (
  key_id uuid not null references public.studio_api_keys (id) on delete cascade,
  day date not null,
  usd numeric not null default 0,
  primary key (key_id, day)
);
alter table private.studio_key_spending enable row level security;
revoke all on table private.studio_key_spending from public, anon, authenticated, service_role;

-- Which cap of a key is reached ('keyDay', 'keyMonth'): spending of the cap and p_beyond more. Null for none, and for no key.
create function private.studio_key_cap(p_key_id uuid, p_beyond numeric) returns text
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

-- As before, and against what the run's key may spend.
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
  if p_usd <> booked.usd then
    update public.studio_runs as runs set cost_usd = p_usd where runs.id = p_run_id;
    insert into private.studio_spending as spending (workflow_id, day, usd)
    values (booked.workflow_id, today, p_usd - booked.usd)
    on conflict (workflow_id, day) do update set usd = spending.usd + excluded.usd;
    if booked.api_key_id is not null then
      insert into private.studio_key_spending as spending (key_id, day, usd)
      values (booked.api_key_id, today, p_usd - booked.usd)
      on conflict (key_id, day) do update set usd = spending.usd + excluded.usd;
    end if;
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

-- As before, and within what the key may spend. Starts a run for a door: { id, status, isNew }, or { problem, retryAfter? } with nothing started. Problems: 'not_published',
-- 'rate_limit' (starts of the publication in a minute), 'busy' (as many as may wait or run do), 'spent' (the cap of a day or a
-- month is reached), 'key_reused' (the idempotency key belongs to another input). p_input: { value }.
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

-- What each key of the caller spent today and this month (UTC), with calls under way, and how many of its runs are kept.
create function public.studio_api_key_use() returns table (id uuid, day_usd numeric, month_usd numeric, runs bigint)
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

-- The live publications of an account whose door for programs is not closed: [{ workflowId, slug, name, live, publishedAt }].
create function public.studio_door_publications(p_owner uuid) returns jsonb
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

-- What a run asks and nobody has answered yet: [{ callId, kind, question, expiresAt }].
create function public.studio_door_questions(p_run_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'callId', waits.call_id, 'kind', waits.kind, 'question', waits.question, 'expiresAt', waits.expires_at)
    order by waits.asked_at), '[]'::jsonb)
  from public.studio_run_waits as waits
  where waits.run_id = p_run_id and waits.decision is null and waits.kind <> 'time';
$$;

-- Decides what a run waits for. Gives 'decided', or why not: 'decided-elsewhere', 'expired', 'over' or 'unknown'.
create function public.studio_door_decide(p_run_id uuid, p_call_id text, p_decision jsonb) returns text
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

do $$
declare
  signature text;
begin
  revoke all on function private.studio_key_cap(uuid, numeric) from public, anon, authenticated, service_role;
  revoke all on function private.studio_book_spending(uuid, numeric) from public, anon, authenticated, service_role;
  revoke all on function public.studio_api_key_use() from public, anon, authenticated;
  grant execute on function public.studio_api_key_use() to authenticated, service_role;
  foreach signature in array array[
    'studio_door_publications(uuid)',
    'studio_door_questions(uuid)',
    'studio_door_decide(uuid, text, jsonb)'
  ] loop
    execute format('revoke all on function public.%s from public, anon, authenticated', signature);
    execute format('grant execute on function public.%s to service_role', signature);
  end loop;
end;
$$;
