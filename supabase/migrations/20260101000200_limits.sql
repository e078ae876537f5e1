-- Limits per user for the edge functions that open connections: how often a minute, how many at once.
-- Kept in Postgres because every call may reach another instance of a function.

create table private.studio_rate_limits (
  owner uuid not null references auth.users (id) on delete cascade,
  bucket text not null check (char_length(bucket) between 1 and 100),
  window_start timestamptz not null default now(),
  used integer not null default 1,
  primary key (owner, bucket)
);

create table private.studio_slots (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null references auth.users (id) on delete cascade,
  bucket text not null check (char_length(bucket) between 1 and 100),
  expires_at timestamptz not null
);

create index studio_slots_of_owner on private.studio_slots (owner, bucket, expires_at);

alter table private.studio_rate_limits enable row level security;
alter table private.studio_slots enable row level security;
revoke all on table private.studio_rate_limits from public, anon, authenticated, service_role;
revoke all on table private.studio_slots from public, anon, authenticated, service_role;

-- Counts one call. Returns 0 when it is allowed, otherwise the seconds until the minute that began with
-- the first call is over. A refused call is not counted.
create function public.studio_take_rate_limit(p_owner uuid, p_bucket text, p_per_minute integer) returns integer
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

-- Takes one of p_max places for at most p_ttl_seconds. Returns the place, or null when all are taken.
-- The time limit frees the places of a function that died.
create function public.studio_enter_slot(p_owner uuid, p_bucket text, p_max integer, p_ttl_seconds integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  moment constant timestamptz := clock_timestamp();
  taken integer;
  slot uuid;
begin
  -- One caller at a time counts the places of this owner and bucket.
  perform pg_advisory_xact_lock(hashtextextended(p_owner::text || '|' || p_bucket, 0));
  delete from private.studio_slots where owner = p_owner and bucket = p_bucket and expires_at <= moment;
  select count(*) into taken from private.studio_slots where owner = p_owner and bucket = p_bucket;
  if taken >= p_max then
    return null;
  end if;
  insert into private.studio_slots (owner, bucket, expires_at)
  values (p_owner, p_bucket, moment + make_interval(secs => p_ttl_seconds))
  returning id into slot;
  return slot;
end;
$$;

-- Frees a place; freeing it twice, or after its time, does nothing.
create function public.studio_leave_slot(p_slot uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.studio_slots where id = p_slot;
$$;

revoke all on function public.studio_take_rate_limit(uuid, text, integer) from public, anon, authenticated;
grant execute on function public.studio_take_rate_limit(uuid, text, integer) to service_role;
revoke all on function public.studio_enter_slot(uuid, text, integer, integer) from public, anon, authenticated;
grant execute on function public.studio_enter_slot(uuid, text, integer, integer) to service_role;
revoke all on function public.studio_leave_slot(uuid) from public, anon, authenticated;
grant execute on function public.studio_leave_slot(uuid) to service_role;
