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
