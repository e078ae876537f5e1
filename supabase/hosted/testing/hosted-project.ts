import { type PostgresServer, startPostgresServer } from "../../functions/_shared/testing/postgres-server.ts";
import { addVectors } from "../../local/database/postgres/testing/vector-stand-in.ts";

const password = "test-key-hosted-role-0123456789";

/**
 * What a new project has before its first migration, as far as migrations, PostgREST and the auth server go: the roles with their
 * rights and default grants, the schemas, and the auth server's tables, which are its own. `postgres`, which `db push` works as,
 * is no superuser. After https://github.com/supabase/postgres/tree/develop/migrations/db and the migrations of
 * https://github.com/supabase/auth and https://github.com/supabase/realtime.
 */
const newProject = `
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password '${password}';
create role supabase_auth_admin login noinherit createrole password '${password}';
create role postgres login createrole createdb replication bypassrls password '${password}';
grant anon, authenticated, service_role to authenticator, postgres;
grant all on database postgres to postgres;
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_auth_admin set search_path = auth;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
grant all on schema extensions to postgres with grant option;
grant all on schema public to postgres;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role;
set role supabase_auth_admin;
alter default privileges in schema auth grant all on tables to postgres;
create table auth.schema_migrations (version varchar(255) primary key);
create table auth.users (
  instance_id uuid, id uuid primary key, aud varchar(255), role varchar(255), email varchar(255),
  encrypted_password varchar(255), email_confirmed_at timestamptz, invited_at timestamptz,
  confirmation_token varchar(255), confirmation_sent_at timestamptz, recovery_token varchar(255), recovery_sent_at timestamptz,
  last_sign_in_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, is_super_admin boolean,
  created_at timestamptz, updated_at timestamptz, phone text unique default null, banned_until timestamptz,
  deleted_at timestamptz, is_sso_user boolean not null default false, is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create table auth.identities (
  id uuid primary key default gen_random_uuid(), provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade, identity_data jsonb not null, provider text not null,
  last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz, unique (provider_id, provider)
);
create table auth.sessions (
  id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz, updated_at timestamptz, not_after timestamptz
);
create table auth.refresh_tokens (
  instance_id uuid, id bigserial primary key, token varchar(255) unique, user_id varchar(255), revoked boolean,
  created_at timestamptz, updated_at timestamptz, parent varchar(255),
  session_id uuid references auth.sessions (id) on delete cascade
);
create table auth.flow_state (
  id uuid primary key, user_id uuid, auth_code text not null, authentication_method text not null,
  code_challenge text not null, provider_type text not null, created_at timestamptz, updated_at timestamptz
);
create table auth.audit_log_entries (
  instance_id uuid, id uuid primary key, payload json, created_at timestamptz, ip_address varchar(64) not null default ''
);
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
  )::uuid
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
reset role;

create role supabase_realtime_admin nologin noinherit;
create schema realtime authorization supabase_realtime_admin;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
set role supabase_realtime_admin;
create table realtime.messages (
  topic text not null, extension text not null, payload jsonb, event text, private boolean default false,
  updated_at timestamp not null default now(), inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(), primary key (id, inserted_at)
) partition by range (inserted_at);
create table realtime.messages_now partition of realtime.messages default;
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')::text
$$;
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql as $$
begin
  execute format('set local realtime.topic to %L', topic);
  insert into realtime.messages (payload, event, topic, private, extension) values (payload, event, topic, private, 'broadcast');
end $$;
reset role;
-- On a project supautils lets postgres make policies of this table.
grant supabase_realtime_admin to postgres;
alter role postgres inherit;
`;

type HostedRole = "postgres" | "authenticator" | "supabase_auth_admin";

/** A PostgreSQL as that of a new hosted project is set up. */
export interface HostedProject extends Pick<PostgresServer, "run" | "stop"> {
  /** Address for one of its roles, without TLS. */
  urlAs(role: HostedRole): string;
}

export async function startHostedProject(): Promise<HostedProject> {
  const server = await startPostgresServer({ setup: newProject });
  try {
    // A hosted project lets postgres create pgvector, which is no extension that a plain server trusts everybody with.
    await addVectors(server);
    await server.run("create extension if not exists vector with schema extensions");
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, urlAs: (role) => `${server.urlOf(role, password)}?sslmode=disable` };
}
