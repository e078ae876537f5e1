-- Takes one of p_max places for at most p_ttl_seconds. Returns the place, or null when all are taken.
-- The time limit frees the places of a function that died.
create or replace function public.studio_enter_slot(p_owner uuid, p_bucket text, p_max integer, p_ttl_seconds integer) returns uuid
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

select private.studio_grant_calls('public.studio_enter_slot(uuid, text, integer, integer)', 'service_role');
