-- The ciphertext of one credential of one owner; no row when there is none.
create or replace function public.studio_read_credential_secret(p_id uuid, p_owner uuid)
returns table (iv text, ciphertext text, key_version integer)
language sql stable security definer set search_path = ''
as $$
  select secret.iv, secret.ciphertext, secret.key_version
  from private.studio_credential_secrets as secret
  join public.studio_credentials as credential on credential.id = secret.credential_id
  where credential.id = p_id and credential.owner = p_owner;
$$;

select private.studio_grant_calls('public.studio_read_credential_secret(uuid, uuid)', 'service_role');
