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
