-- What the spending caps of a key leave, in US dollars, calls under way counted; null where it has none, or there is no key.
create or replace function private.studio_key_left(p_key_id uuid) returns numeric
language sql stable security definer set search_path = ''
as $$
  select greatest(0, least(
      (keys.limits ->> 'dayUsd')::numeric - spent.of_day, (keys.limits ->> 'monthUsd')::numeric - spent.of_month) - booked.usd)
  from public.studio_api_keys as keys
  cross join lateral (
    select coalesce(sum(spending.usd) filter (where spending.day = (now() at time zone 'utc')::date), 0) as of_day,
      coalesce(sum(spending.usd), 0) as of_month
    from private.studio_key_spending as spending
    where spending.key_id = keys.id and spending.day >= date_trunc('month', now() at time zone 'utc')::date
  ) as spent
  cross join lateral (
    select coalesce(sum(calls.usd), 0) as usd from private.studio_booked_calls as calls where calls.api_key_id = keys.id
  ) as booked
  where keys.id = p_key_id and keys.limits ?| array['dayUsd', 'monthUsd'];
$$;

select private.studio_grant_calls('private.studio_key_left(uuid)');
