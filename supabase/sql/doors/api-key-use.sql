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
