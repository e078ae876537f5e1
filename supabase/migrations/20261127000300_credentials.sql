-- Credentials: what may be shown lies in public.studio_credentials, the ciphertext in a schema that the API does not expose. Only
-- the edge functions, with the service role, may write or read a secret.
set check_function_bodies = off;

create table public.studio_credentials (
  id uuid primary key default gen_random_uuid(),
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 200),
  type text not null check (type in (
  'openai', 'anthropic', 'gemini', 'openai-compatible',
  'http-basic', 'http-header', 'http-bearer', 'http-api-key', 'oauth2', 'oauth2-client',
  'redis', 'postgres', 'mcp', 'mcp-oauth'
)),
  last_four text check (char_length(last_four) <= 4),
  allowed_hosts text[] not null default '{}',
  key_version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  settings jsonb not null default '{}'
    check (jsonb_typeof(settings) = 'object' and pg_column_size(settings) <= 131072),
  unique (id, owner)
);

create index studio_credentials_of_owner on public.studio_credentials (owner, name);

select private.studio_grant_rows('public.studio_credentials', 'select, delete', 'name, settings');

create table private.studio_credential_secrets (
  credential_id uuid primary key references public.studio_credentials (id) on delete cascade,
  iv text not null,
  ciphertext text not null,
  key_version integer not null,
  updated_at timestamptz not null default now()
);

-- No policy and no grant: a second wall behind the missing schema usage.
select private.studio_grant_rows('private.studio_credential_secrets');

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

-- Credentials by name, of the given types (null: of all) or with the given ids (null: any).
create or replace function public.studio_list_credentials(
  p_search text, p_types text[], p_ids uuid[], p_after jsonb, p_limit integer
) returns table (
  id uuid, name text, type text, last_four text, allowed_hosts text[], settings jsonb, updated_at timestamptz,
  total bigint, place jsonb
)
language sql stable security invoker set search_path = ''
as $$
  with fitting as materialized (
    select credentials.id, credentials.name, credentials.type, credentials.last_four, credentials.allowed_hosts,
      credentials.settings, credentials.updated_at, public.studio_sort_key(credentials.name) as sort_key
    from public.studio_credentials as credentials
    where credentials.owner = (select auth.uid())
      and (p_types is null or credentials.type = any (p_types))
      and (p_ids is null or credentials.id = any (p_ids))
      and public.studio_fold(credentials.name) like all ((select public.studio_search_patterns(p_search))::text[])
  )
  select fitting.id, fitting.name, fitting.type, fitting.last_four, fitting.allowed_hosts, fitting.settings,
    fitting.updated_at, (select count(*) from fitting),
    jsonb_build_object('id', fitting.id, 'key', fitting.sort_key)
  from fitting
  where p_after is null
    or (fitting.sort_key, fitting.id) > (p_after ->> 'key' collate "C", (p_after ->> 'id')::uuid)
  order by fitting.sort_key collate "C", fitting.id
  limit p_limit;
$$;

select private.studio_grant_calls('public.studio_list_credentials(text, text[], uuid[], jsonb, integer)', 'authenticated', 'service_role');

-- Which workflows name these credentials in their nodes: of each credential the ten edited last, and how many there are.
create or replace function public.studio_credential_uses(p_credentials uuid[])
returns table (credential_id uuid, workflow_id uuid, workflow_name text, total bigint)
language sql stable security invoker set search_path = ''
as $$
  with used as (
    select distinct named.credential_id, workflows.id, workflows.name, workflows.updated_at
    from public.studio_workflows as workflows
    cross join lateral jsonb_path_query(workflows.document, 'lax $.nodes.*.config.credential') as found
    join unnest(p_credentials) as named (credential_id) on named.credential_id::text = found #>> '{}'
    where workflows.owner = (select auth.uid()) and workflows.deleted_at is null
  ), placed as (
    select used.*, row_number() over (partition by used.credential_id order by used.updated_at desc, used.id) as place,
      count(*) over (partition by used.credential_id) as total
    from used
  )
  select placed.credential_id, placed.id, placed.name, placed.total
  from placed
  where placed.place <= 10
  order by placed.credential_id, placed.place;
$$;

select private.studio_grant_calls('public.studio_credential_uses(uuid[])', 'authenticated', 'service_role');

-- Gives the caller's webhook a new secret. With p_keep_previous, what was signed with the old one is taken too, until the name
-- "previous" is deleted by studio_save_door. Raises "door_not_found".
create or replace function public.studio_renew_hook_secret(p_workflow_id uuid, p_secret text, p_keep_previous boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := auth.uid();
  kept jsonb;
begin
  if p_secret is null or char_length(p_secret) not between 8 and 500 then
    raise exception 'bad_secret' using errcode = '22023';
  end if;
  perform 1 from public.studio_doors as own
  where own.workflow_id = p_workflow_id and own.kind = 'hook' and own.owner = caller for update;
  if not found then
    raise exception 'door_not_found' using errcode = 'P0002';
  end if;
  insert into private.studio_door_secrets as stored (workflow_id, kind, secrets)
  values (p_workflow_id, 'hook', jsonb_build_object('current', p_secret))
  on conflict (workflow_id, kind) do update set
    secrets = (stored.secrets - 'previous')
      || case when p_keep_previous and stored.secrets ? 'current'
        then jsonb_build_object('previous', stored.secrets -> 'current') else '{}'::jsonb end
      || excluded.secrets
  returning stored.secrets into kept;
  update public.studio_doors as doors set
    secrets = (select coalesce(jsonb_agg(name order by name), '[]') from jsonb_object_keys(kept) as name),
    updated_at = now()
  where doors.workflow_id = p_workflow_id and doors.kind = 'hook' and doors.owner = caller;
end;
$$;

select private.studio_grant_calls('public.studio_renew_hook_secret(uuid, text, boolean)', 'authenticated', 'service_role');

create trigger studio_credentials_touch before update on public.studio_credentials
  for each row execute function public.studio_touch_updated_at();

select private.studio_count_table('public.studio_credentials', 'rows', 'octet_length(item.settings::text)');

reset check_function_bodies;
