-- Begins a call of a function with its credential's sealed secret. `p_session`: the session of the caller's token; null for a
-- token of no session. `p_leave`: places of calls that have ended. `p_credential`: the credential that the call is made with.
-- `p_uncounted`: calls of this owner and bucket that were let in since the last one was counted.
-- Returns one of
--   {"refused": "session"}       the user is gone or banned, or the session has ended; this call was not counted
--   {"refused": "rate", "wait"}  too many calls in a minute; seconds to wait
--   {"refused": "places"}        too many calls at once
--   {"slot", "left", "credential"}  the call's place; how many more may begin in this minute; and the row with iv, ciphertext and
--                                secret_key_version (null without a secret); null where the owner has no such credential
create or replace function public.studio_begin_call(
  p_owner uuid,
  p_session uuid,
  p_bucket text,
  p_per_minute integer,
  p_max integer,
  p_ttl_seconds integer,
  p_leave uuid[],
  p_credential uuid,
  p_uncounted integer default 0
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer;
  slot uuid;
  calls_left integer;
  held jsonb;
begin
  -- Counters need not outlive a crash, so the call does not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);

  if cardinality(p_leave) > 0 then
    delete from private.studio_slots where id = any (p_leave);
  end if;
  if p_uncounted > 0 then
    perform private.studio_count_calls(p_owner, p_bucket, p_uncounted);
  end if;

  if not exists (select from auth.users where id = p_owner and (banned_until is null or banned_until <= now()))
    or p_session is not null and not exists (
      select from auth.sessions
      where id = p_session and user_id = p_owner and (not_after is null or not_after > now())
    )
  then
    return jsonb_build_object('refused', 'session');
  end if;

  wait := public.studio_take_rate_limit(p_owner, p_bucket, p_per_minute);
  if wait > 0 then
    return jsonb_build_object('refused', 'rate', 'wait', wait);
  end if;

  slot := public.studio_enter_slot(p_owner, p_bucket, p_max, p_ttl_seconds);
  if slot is null then
    return jsonb_build_object('refused', 'places');
  end if;

  select greatest(0, p_per_minute - counter.used) into calls_left
  from private.studio_rate_limits as counter
  where counter.owner = p_owner and counter.bucket = p_bucket;

  if p_credential is not null then
    select jsonb_build_object(
      'id', credential.id,
      'owner', credential.owner,
      'name', credential.name,
      'type', credential.type,
      'last_four', credential.last_four,
      'allowed_hosts', credential.allowed_hosts,
      'key_version', credential.key_version,
      'settings', credential.settings,
      'iv', secret.iv,
      'ciphertext', secret.ciphertext,
      'secret_key_version', secret.key_version
    )
    into held
    from public.studio_credentials as credential
    left join private.studio_credential_secrets as secret on secret.credential_id = credential.id
    where credential.id = p_credential and credential.owner = p_owner;
  end if;

  return jsonb_build_object('slot', slot, 'left', calls_left, 'credential', held);
end;
$$;

select private.studio_grant_calls('public.studio_begin_call(uuid, uuid, text, integer, integer, integer, uuid[], uuid, integer)', 'service_role');
