-- What the owner of a credential decides about its use, such as the tables that its tools may reach. No secret: the
-- owner reads and changes it, and the functions check it before they use it.

alter table public.studio_credentials
  add column settings jsonb not null default '{}'
  check (jsonb_typeof(settings) = 'object' and pg_column_size(settings) <= 131072);

grant update (settings) on table public.studio_credentials to authenticated;

drop function public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text);

-- As before, with the settings: null keeps those that are stored.
create function public.studio_save_credential(
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

revoke all on function
  public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text, jsonb)
  from public, anon, authenticated;
grant execute on function
  public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text, jsonb)
  to service_role;
