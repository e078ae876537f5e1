-- Makes a key of the caller and gives { id, key }: the only time that the key is seen.
create or replace function public.studio_make_api_key(
  p_name text, p_scopes jsonb, p_limits jsonb, p_expires_at timestamptz default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  -- 32 bytes out of 366 random bits.
  secret constant text := 'sy_' || translate(
    encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64'),
    '+/=', '-_');
  made uuid;
begin
  if caller is null then
    raise exception 'not_signed_in' using errcode = '42501';
  end if;
  if (select count(*) from public.studio_api_keys as own where own.owner = caller and own.revoked_at is null) >= 200 then
    raise exception 'too_many_keys' using errcode = 'PT400';
  end if;
  perform private.studio_check_limits(p_limits);
  insert into public.studio_api_keys (owner, name, prefix, scopes, limits, expires_at)
  values (caller, p_name, left(secret, 9), p_scopes, coalesce(p_limits, '{}'::jsonb), p_expires_at)
  returning id into made;
  insert into private.studio_api_key_hashes (hash, key_id)
  values (encode(sha256(convert_to(secret, 'UTF8')), 'hex'), made);
  return jsonb_build_object('id', made, 'key', secret);
end;
$$;

select private.studio_grant_calls('public.studio_make_api_key(text, jsonb, jsonb, timestamp with time zone)', 'authenticated', 'service_role');
