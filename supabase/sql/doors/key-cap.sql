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
