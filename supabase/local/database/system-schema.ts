import type { SqlSession } from "./sql-session.ts";

// What a hosted project has before its first migration, as far as our migrations and supabase-js use it.
// Migrations revoke what they do not want, here as there.
const hostedDefaults = `
do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'authenticated') then
    create role authenticated nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'service_role') then
    create role service_role nologin noinherit bypassrls;
  end if;
end
$$;

create schema if not exists extensions;
grant usage on schema public, extensions, auth to anon, authenticated, service_role;
grant execute on all functions in schema auth to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
`;

/** Creates the roles, schemas and default grants of a Supabase project. Idempotent. */
export async function ensureHostedDefaults(session: SqlSession): Promise<void> {
  await session.exec(hostedDefaults);
}

/**
 * Keeps the library from widening our grants. On its first request it grants ALL on every table of every schema
 * that has row level security to anon and authenticated, which would undo the revokes of the migrations and open
 * the private schema. Hosted Supabase does no such thing. With the state set to "active" it leaves grants alone
 * and still switches to the request's role.
 */
export function keepGrantsAsMigrated(connection: object): void {
  if (!Reflect.has(connection, "rlsState")) {
    throw new Error("This version of @supabase/lite keeps its row level security state elsewhere: review its grants.");
  }
  Reflect.set(connection, "rlsState", "active");
}
