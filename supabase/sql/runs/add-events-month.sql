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
  -- Nothing of that month comes to the default partition meanwhile.
  lock table private.studio_run_events_other in share row exclusive mode;
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
