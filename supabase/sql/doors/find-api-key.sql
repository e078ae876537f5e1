-- Whose key has this hash: { id, owner, scopes, limits, expired }; null where there is none. Notes that it was used.
create or replace function public.studio_find_api_key(p_hash text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  found_key public.studio_api_keys%rowtype;
begin
  select keys.* into found_key
  from private.studio_api_key_hashes as hashes join public.studio_api_keys as keys on keys.id = hashes.key_id
  where hashes.hash = p_hash and keys.revoked_at is null;
  if not found then
    return null;
  end if;
  if found_key.last_used_at is null or found_key.last_used_at < now() - interval '1 minute' then
    update public.studio_api_keys as keys set last_used_at = now() where keys.id = found_key.id;
  end if;
  return jsonb_build_object(
    'id', found_key.id, 'owner', found_key.owner, 'scopes', found_key.scopes, 'limits', found_key.limits,
    'expired', coalesce(found_key.expires_at <= now(), false));
end;
$$;

select private.studio_grant_calls('public.studio_find_api_key(text)', 'service_role');
