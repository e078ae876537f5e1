import { checkServer } from "../../supabase/local/database/postgres/check-server.ts";
import type { ServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import type { ServerSession } from "../../supabase/local/database/postgres/server-session.ts";
import { StartError } from "../../supabase/local/start-error.ts";
import { count, type Finding, missing, note, ok } from "./finding.ts";
import { projectWorkers, studioWorkers } from "./worker-checks.ts";

/** Everything that can be seen of a database by its owner. It changes nothing there. `versions`: of all migrations. */
export async function checkDatabase(
  session: ServerSession,
  address: ServerAddress,
  versions: readonly string[],
): Promise<Finding[]> {
  const { rows } = await session.query<{ hosted: boolean; migrated: boolean }>(`
    select to_regclass('auth.schema_migrations') is not null as hosted,
      to_regclass('supabase_migrations.schema_migrations') is not null as migrated`);
  const { hosted = false, migrated = false } = rows[0] ?? {};
  const applied = migrated ? await appliedVersions(session) : [];
  const migrations = hosted ? hostedMigrations(applied, versions) : ownMigrations(applied, versions);
  const server = hosted ? [] : await serverFindings(session, address);
  if (migrations.state !== "ok") return [...server, migrations];
  return [...server, migrations, ...(await (hosted ? projectWorkers(session) : studioWorkers(session)))];
}

async function appliedVersions(session: ServerSession): Promise<string[]> {
  const { rows } = await session.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations order by version",
  );
  return rows.map(({ version }) => version);
}

async function serverFindings(session: ServerSession, address: ServerAddress): Promise<Finding[]> {
  try {
    const notes = await checkServer(session, address);
    return [ok("The server has what a studio needs."), ...notes.map((text) => note(text, "It works without."))];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [missing(`${error.message}.`, error.hint)];
  }
}

function ownMigrations(applied: readonly string[], versions: readonly string[]): Finding {
  const lacking = versions.filter((version) => !applied.includes(version));
  if (applied.length === 0) return note("The database is new.", "The studio sets it up when it starts.");
  if (applied.some((version) => !versions.includes(version))) return newer;
  if (lacking.length === 0) return ok("The database is up to date.");
  return note(`The database lacks ${count(lacking.length, "migration")}.`, "The studio applies them when it starts.");
}

function hostedMigrations(applied: readonly string[], versions: readonly string[]): Finding {
  const lacking = versions.filter((version) => !applied.includes(version));
  if (lacking.length === versions.length)
    return missing("The studio's tables are not there.", "npx supabase db push --linked");
  if (lacking.length > 0) {
    return missing(`The project lacks ${count(lacking.length, "migration")}.`, "npx supabase db push --linked");
  }
  return applied.some((version) => !versions.includes(version)) ? newer : ok("All migrations are applied.");
}

const newer = note(
  "The database has migrations that this version does not know.",
  "They are of a newer version, or the project's own. Upgrade this checkout if they are the studio's.",
);
