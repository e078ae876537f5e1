-- When the quarter of an hour, or the fortnight, began that a moment belongs to. This and the next two set no search path, so
-- that Postgres can put them into the statements that use them; every name in them is one of Postgres's own or qualified.
create or replace function private.studio_sum_start(p_at timestamptz, p_wide boolean) returns timestamptz
language sql immutable
as $$
  select date_bin(
    case when p_wide then interval '14 days' else interval '15 minutes' end, p_at, timestamptz '2000-01-01 00:00:00+00');
$$;

select private.studio_grant_calls('private.studio_sum_start(timestamp with time zone, boolean)');
