import { inTransaction } from "../sql-session.ts";
import { StartError } from "../../start-error.ts";
import type { ServerAddress } from "./server-address.ts";
import type { ServerSession } from "./server-session.ts";

/** `unique nulls not distinct`, which the migrations use, came with it. */
const oldestVersion = 15;

interface Facts {
  version: number;
  encoding: string;
  standby: boolean;
  superuser: boolean;
  user: string;
  database: string;
  /** Schema of the extension; null where it is not installed. */
  vector: string | null;
  vector_available: boolean;
  of_supabase: boolean;
  may_create: boolean;
  /** Whether it knows letters beyond ASCII. */
  folds: boolean;
  lacking: string[];
  missing_roles: string[];
  /** The schema of the extensions is somebody else's. */
  foreign_schema: boolean;
  bypasses: boolean | null;
}

/**
 * Looks whether the studio can work there, before anything is changed, and gives what its operator should know. Throws StartError
 * with the statements that an administrator must run.
 */
export async function checkServer(session: ServerSession, { shown }: ServerAddress): Promise<string[]> {
  const { rows } = await session.query<Facts>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      pg_encoding_to_char(own.encoding) as encoding,
      pg_is_in_recovery() as standby,
      me.rolsuper as superuser,
      current_user::text as "user",
      current_database()::text as database,
      (select namespaces.nspname::text from pg_extension as extensions
       join pg_namespace as namespaces on namespaces.oid = extensions.extnamespace
       where extensions.extname = 'vector') as vector,
      exists (select from pg_available_extensions where name = 'vector') as vector_available,
      lower('Ö') = 'ö' as folds,
      array(select wanted from unnest(array['pg_trgm', 'btree_gin']) as wanted
            where not exists (select from pg_available_extensions where name = wanted)) as lacking,
      to_regclass('auth.schema_migrations') is not null as of_supabase,
      has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create,
      array(select wanted from unnest(array['anon', 'authenticated', 'service_role', 'studio_worker']) as wanted
            where not exists (select from pg_roles where rolname = wanted)) as missing_roles,
      exists (select from pg_namespace where nspname = 'extensions' and not pg_has_role(current_user, nspowner, 'usage'))
        as foreign_schema,
      (select rolbypassrls or rolsuper from pg_roles where rolname = 'service_role') as bypasses
    from pg_database as own, pg_roles as me
    where own.datname = current_database() and me.rolname = current_user`);
  const [facts] = rows;
  if (!facts) throw new Error("The server says nothing of itself.");
  const { version, user, database } = facts;
  const refuse = (message: string, hint: string): never => {
    throw new StartError(`${message} (${shown})`, `Nothing was changed. ${hint}`);
  };
  if (version < oldestVersion) {
    refuse(
      `The database server runs PostgreSQL ${version}; the studio needs ${oldestVersion} or newer`,
      "Upgrade the server, or name another one.",
    );
  }
  if (facts.standby) refuse("The database server is a standby, which takes no writes", "Name the primary server.");
  if (facts.encoding !== "UTF8") {
    refuse(
      `The database is encoded as ${facts.encoding}`,
      `Make one with: create database … encoding 'UTF8' template template0;`,
    );
  }
  if (facts.of_supabase) {
    refuse(
      "This database belongs to a Supabase project",
      "Deploy the studio there as docs/deploy.md says, or name a database of its own.",
    );
  }
  if (facts.vector === null && !facts.vector_available) {
    refuse(
      "The database server lacks the extension pgvector",
      `Install it on the server (on Debian and Ubuntu the package postgresql-${version}-pgvector), then start again.`,
    );
  }
  if (facts.vector !== null && facts.vector !== "extensions") {
    refuse(
      `The extension vector is in the schema ${facts.vector}, where the studio does not look for it`,
      "As its owner: create schema if not exists extensions; alter extension vector set schema extensions;",
    );
  }
  if (facts.lacking.length > 0) {
    refuse(
      `The database server lacks the extensions ${facts.lacking.join(" and ")}`,
      "Install PostgreSQL's own extensions on the server (the package postgresql-contrib, where there is one), then start again.",
    );
  }
  const notes = facts.folds
    ? []
    : [
        "The locale of the database knows no letters beyond ASCII: searches tell Ö from ö. Best is one such as C.UTF-8.",
      ];
  if (facts.superuser) return notes;

  const asAdministrator: string[] = [];
  for (const role of facts.missing_roles) {
    asAdministrator.push(`create role ${role} nologin noinherit${role === "service_role" ? " bypassrls" : ""};`);
  }
  if (facts.bypasses === false) asAdministrator.push("alter role service_role bypassrls;");
  const closed: string[] = [];
  for (const role of ["anon", "authenticated", "service_role"]) {
    if (!(await succeeds(session, `set local role ${role}`))) closed.push(role);
  }
  if (closed.length > 0) asAdministrator.push(`grant ${closed.join(", ")} to ${quoted(user)};`);
  if (!facts.may_create) asAdministrator.push(`alter database ${quoted(database)} owner to ${quoted(user)};`);
  const createVector = "create extension vector with schema extensions;";
  if (facts.foreign_schema) asAdministrator.push(`alter schema extensions owner to ${quoted(user)};`);
  // Whether an extension is trusted is known to the server alone.
  if (facts.vector === null && !(await succeeds(session, `create schema if not exists extensions; ${createVector}`))) {
    asAdministrator.push(`create schema if not exists extensions authorization ${quoted(user)};`, createVector);
  }
  if (asAdministrator.length === 0) return notes;
  return refuse(
    `The role ${user} may not set up this database`,
    `As a superuser of the server, in the database ${database}:\n\n  ${asAdministrator.join("\n  ")}\n\nThen start again.`,
  );
}

/** Tries statements, and takes them back. */
async function succeeds(session: ServerSession, statements: string): Promise<boolean> {
  const undone = new Error("Undone, as it is meant to be.");
  try {
    await inTransaction(session, async () => {
      await session.exec(statements);
      throw undone;
    });
  } catch (error) {
    return error === undone;
  }
  return false;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
