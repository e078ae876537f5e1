-- Counts one call. Returns 0 when it is allowed, otherwise the seconds until the minute that began with
-- the first call is over. A refused call is not counted.
create or replace function public.studio_take_rate_limit(p_owner uuid, p_bucket text, p_per_minute integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  started timestamptz;
begin
  if p_per_minute < 1 then
    return 60;
  end if;

  insert into private.studio_rate_limits as counter (owner, bucket, window_start, used)
  values (p_owner, p_bucket, moment, 1)
  on conflict (owner, bucket) do update set
    window_start =
      case when counter.window_start <= moment - interval '1 minute' then moment else counter.window_start end,
    used = case when counter.window_start <= moment - interval '1 minute' then 1 else counter.used + 1 end
  where counter.window_start <= moment - interval '1 minute' or counter.used < p_per_minute
  returning counter.window_start into started;

  if started is not null then
    return 0;
  end if;

  select counter.window_start into started
  from private.studio_rate_limits as counter
  where counter.owner = p_owner and counter.bucket = p_bucket;
  return greatest(1, ceil(extract(epoch from started + interval '1 minute' - moment)))::integer;
end;
$$;

select private.studio_grant_calls('public.studio_take_rate_limit(uuid, text, integer)', 'service_role');
