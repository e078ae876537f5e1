-- Ends a key of the caller at once and for ever. What it started stays.
create or replace function public.studio_revoke_api_key(p_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
begin
  update public.studio_api_keys as own set revoked_at = coalesce(own.revoked_at, now())
  where own.id = p_id and own.owner = caller;
  if not found then
    raise exception 'key_not_found' using errcode = 'PT404';
  end if;
  delete from private.studio_api_key_hashes as hashes where hashes.key_id = p_id;
end;
$$;

select private.studio_grant_calls('public.studio_revoke_api_key(uuid)', 'authenticated', 'service_role');
