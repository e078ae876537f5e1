-- Counts one call within a minute: { wait, remaining, reset }. `wait` is 0 when it is allowed, else the seconds until there is
-- room; a refused call is not counted.
create or replace function public.studio_take_door_limit(p_key text, p_per_minute integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  counter private.studio_door_limits%rowtype;
  reset integer;
begin
  -- Whoever comes under ever new names leaves nothing behind.
  delete from private.studio_door_limits as old
  where old.key in (
    select oldest.key from private.studio_door_limits as oldest
    where oldest.window_start < moment - interval '2 minutes'
    order by oldest.window_start limit 5 for update skip locked
  );
  insert into private.studio_door_limits as counted (key, window_start, used) values (p_key, moment, 1)
  on conflict (key) do update set
    window_start =
      case when counted.window_start <= moment - interval '1 minute' then moment else counted.window_start end,
    used = case when counted.window_start <= moment - interval '1 minute' then 1 else counted.used + 1 end
  where counted.window_start <= moment - interval '1 minute' or counted.used < p_per_minute
  returning * into counter;
  if counter.key is not null then
    reset := greatest(1, ceil(extract(epoch from counter.window_start + interval '1 minute' - moment)));
    return jsonb_build_object('wait', 0, 'remaining', greatest(0, p_per_minute - counter.used), 'reset', reset);
  end if;
  select * into counter from private.studio_door_limits as counted where counted.key = p_key;
  reset := greatest(1, ceil(extract(epoch from counter.window_start + interval '1 minute' - moment)));
  return jsonb_build_object('wait', reset, 'remaining', 0, 'reset', reset);
end;
$$;

select private.studio_grant_calls('public.studio_take_door_limit(text, integer)', 'service_role');
