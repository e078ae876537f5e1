-- Spending limits hold, in whatever order runs go on: a call of a model is booked before it is made and settled after it, and
-- what is booked for calls under way stands against every limit that the call is under.

-- What a run has booked for calls that are under way. `studio_runs.cost_usd` and the spending of a day have what is settled.
create table private.studio_booked_calls (
  run_id uuid primary key references public.studio_runs (id) on delete cascade,
  workflow_id uuid not null,
  api_key_id uuid,
  usd numeric not null check (usd >= 0)
);
create index studio_booked_calls_of_workflow on private.studio_booked_calls (workflow_id);
create index studio_booked_calls_of_key on private.studio_booked_calls (api_key_id) where api_key_id is not null;
alter table private.studio_booked_calls enable row level security;
revoke all on table private.studio_booked_calls from public, anon, authenticated, service_role;

-- Adds to what a workflow and a key have spent today (UTC). Those that are gone have no spending.
create function private.studio_count_spending(p_workflow_id uuid, p_api_key_id uuid, p_usd numeric) returns void
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

-- A booking that nobody settled counts as spent, however its run ended: it was lost with its worker, or deleted.
create function private.studio_count_lost_booking() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.studio_count_spending(old.workflow_id, old.api_key_id, old.usd);
  return null;
end;
$$;
create trigger studio_booked_calls_count_lost after delete on private.studio_booked_calls
  for each row when (old.usd > 0) execute function private.studio_count_lost_booking();

create function private.studio_end_bookings() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.studio_booked_calls as booked where booked.run_id = new.id;
  return null;
end;
$$;
create trigger studio_runs_end_bookings after update of status on public.studio_runs
  for each row when (
    new.source <> 'editor' and old.status is distinct from new.status
    and new.status not in ('queued', 'running', 'waiting')
  )
  execute function private.studio_end_bookings();

-- As before. Of a run that books its calls, p_usd is what is settled, which only grows: its calls under way are in
-- studio_booked_calls, and what a worker sends late lowers nothing.
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

-- What each spending limit of a run leaves for its next call, in US dollars: of the run, the day and the month (UTC) of its
-- workflow, and those of its key. `left_usd` counts what is settled and what is booked, `unspent_usd` only what is settled.
create function private.studio_money_left(p_run_id uuid, p_spent numeric, p_booked numeric)
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

-- Settles what a run has spent (p_spent) and what it has under way (p_booked), both since its beginning, and books one more
-- call: at least p_min, at most p_max, null for none. Gives { state }: 'fenced'; 'free', no limit applies; 'ok' with `usd`, what
-- was booked; 'busy', there is room once calls under way are settled; 'full' with `cap` and `capUsd`. Bookings of one workflow,
-- and of one key, come one after the other.
create function private.studio_book_call(
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

-- Prices that nobody knows -----------------------------------------------------------------------------

-- From now on a model without a known price is not called under a spending limit. Versions that were published before, and keys
-- that were made before, go on as they did until something new is published or limited.
alter table public.studio_published add column allows_unknown_prices boolean not null default true;
alter table public.studio_published alter column allows_unknown_prices set default false;
alter table public.studio_api_keys add column allows_unknown_prices boolean not null default true;
alter table public.studio_api_keys alter column allows_unknown_prices set default false;

alter table public.studio_publications
  -- The models that its spending limits do not count, as the last run found them: [text]; null for none.
  add column unknown_prices jsonb check (jsonb_typeof(unknown_prices) = 'array' and octet_length(unknown_prices::text) <= 8192);

-- A limit in money that is new holds for every model; a version that becomes live is looked at again.
create function private.studio_forget_unknown_prices() returns trigger
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
create trigger studio_publications_forget_unknown_prices before update of limits, live on public.studio_publications
  for each row execute function private.studio_forget_unknown_prices();

-- Whether a run is under a limit in money, and whether models without a known price may be called nevertheless:
-- { limited, allowed }. p_models: those that its workflow has, [text]; where they are called uncounted, the publication is marked
-- and its owner is told, once.
create function private.studio_check_unknown_prices(p_run_id uuid, p_models jsonb) returns jsonb
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

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'studio_count_spending(uuid, uuid, numeric)',
    'studio_count_lost_booking()',
    'studio_end_bookings()',
    'studio_book_spending(uuid, numeric)',
    'studio_money_left(uuid, numeric, numeric)',
    'studio_forget_unknown_prices()'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
  end loop;
  foreach signature in array array[
    'studio_book_call(uuid, integer, numeric, numeric, numeric, numeric)',
    'studio_check_unknown_prices(uuid, jsonb)'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', signature);
    execute format('grant execute on function private.%s to studio_worker', signature);
  end loop;
end;
$$;
