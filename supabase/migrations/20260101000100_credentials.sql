-- Credentials: what may be shown lives in public.studio_credentials, the ciphertext in a schema that the
-- API does not expose. Only the edge functions, with the service role, may write or read a secret, and
-- only through the two functions below.

create schema if not exists private;
revoke all on schema private from public, anon, authenticated;

create table public.studio_credentials (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null check (type in (
    'openai', 'anthropic', 'gemini', 'openai-compatible',
    'http-basic', 'http-header', 'http-bearer', 'http-api-key',
    'redis', 'postgres', 'mcp'
  )),
  last_four text check (char_length(last_four) <= 4),
  allowed_hosts text[] not null default '{}',
  key_version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, owner)
);

create index studio_credentials_of_owner on public.studio_credentials (owner, name);

create trigger studio_credentials_touch before update on public.studio_credentials
  for each row execute function public.studio_touch_updated_at();

alter table public.studio_credentials enable row level security;
revoke all on table public.studio_credentials from public, anon, authenticated;
grant select, delete on table public.studio_credentials to authenticated;
grant update (name) on table public.studio_credentials to authenticated;
grant all on table public.studio_credentials to service_role;

create policy studio_credentials_select on public.studio_credentials
  for select to authenticated using (owner = (select auth.uid()));
create policy studio_credentials_update on public.studio_credentials
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy studio_credentials_delete on public.studio_credentials
  for delete to authenticated using (owner = (select auth.uid()));

create table private.studio_credential_secrets (
  credential_id uuid primary key references public.studio_credentials (id) on delete cascade,
  iv text not null,
  ciphertext text not null,
  key_version integer not null,
  updated_at timestamptz not null default now()
);

-- No policy and no grant: a second wall behind the missing schema usage.
alter table private.studio_credential_secrets enable row level security;
revoke all on table private.studio_credential_secrets from public, anon, authenticated, service_role;

-- Saves the visible row and the ciphertext in one go. p_id null makes a new credential. Raises 42501
-- when the credential exists and belongs to someone else.
create function public.studio_save_credential(
  p_id uuid,
  p_owner uuid,
  p_name text,
  p_type text,
  p_last_four text,
  p_allowed_hosts text[],
  p_key_version integer,
  p_iv text,
  p_ciphertext text
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  saved uuid;
begin
  insert into public.studio_credentials as credential
    (id, owner, name, type, last_four, allowed_hosts, key_version)
  values
    (coalesce(p_id, gen_random_uuid()), p_owner, p_name, p_type, p_last_four, p_allowed_hosts, p_key_version)
  on conflict (id) do update set
    name = excluded.name,
    type = excluded.type,
    last_four = excluded.last_four,
    allowed_hosts = excluded.allowed_hosts,
    key_version = excluded.key_version
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

-- The ciphertext of one credential of one owner; no row when there is none.
create function public.studio_read_credential_secret(p_id uuid, p_owner uuid)
returns table (iv text, ciphertext text, key_version integer)
language sql stable security definer set search_path = ''
as $$
  select secret.iv, secret.ciphertext, secret.key_version
  from private.studio_credential_secrets as secret
  join public.studio_credentials as credential on credential.id = secret.credential_id
  where credential.id = p_id and credential.owner = p_owner;
$$;

revoke all on function public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text)
  from public, anon, authenticated;
grant execute on function public.studio_save_credential(uuid, uuid, text, text, text, text[], integer, text, text)
  to service_role;
revoke all on function public.studio_read_credential_secret(uuid, uuid) from public, anon, authenticated;
grant execute on function public.studio_read_credential_secret(uuid, uuid) to service_role;
