-- Stores a credential with its sealed secret; p_settings null leaves the stored settings as they are.
create or replace function public.studio_save_credential(
  p_id uuid,
  p_owner uuid,
  p_name text,
  p_type text,
  p_last_four text,
  p_allowed_hosts text[],
  p_key_version integer,
  p_iv text,
  p_ciphertext text,
  p_settings jsonb default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  saved uuid;
begin
  if p_name is null then
    update public.studio_credentials as credential set
      last_four = p_last_four,
      allowed_hosts = p_allowed_hosts,
      key_version = p_key_version,
      settings = coalesce(p_settings, credential.settings)
    where credential.id = p_id and credential.owner = p_owner and credential.type = p_type
    returning credential.id into saved;
    if saved is null then
      raise exception 'The credential is no longer there.' using errcode = '42501';
    end if;
  else
    insert into public.studio_credentials as credential
      (id, owner, name, type, last_four, allowed_hosts, key_version, settings)
    values
      (coalesce(p_id, gen_random_uuid()), p_owner, p_name, p_type, p_last_four, p_allowed_hosts, p_key_version,
       coalesce(p_settings, '{}'))
    on conflict (id) do update set
      name = excluded.name,
      type = excluded.type,
      last_four = excluded.last_four,
      allowed_hosts = excluded.allowed_hosts,
      key_version = excluded.key_version,
      settings = coalesce(p_settings, credential.settings)
    where credential.owner = excluded.owner
    returning credential.id into saved;
    if saved is null then
      raise exception 'The credential belongs to another user.' using errcode = '42501';
    end if;
  end if;

  insert into private.studio_credential_secrets as secret (credential_id, iv, ciphertext, key_version)
  values (saved, p_iv, p_ciphertext, p_key_version)
  on conflict (credential_id) do update set
    iv = excluded.iv,
    ciphertext = excluded.ciphertext,
    key_version = excluded.key_version,
    updated_at = now();

  return saved;
end;
$$;

select private.studio_grant_calls('public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text, jsonb)', 'service_role');
