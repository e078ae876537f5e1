import { checkServer } from "../../supabase/local/database/postgres/check-server.ts";
import type { ServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import type { ServerSession } from "../../supabase/local/database/postgres/server-session.ts";
import { StartError } from "../../supabase/local/start-error.ts";
import { type Finding, missing, note, ok } from "./finding.ts";

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
  if (!hosted) return [...(await serverFindings(session, address)), ...ownMigrations(applied, versions)];
  const migrations = hostedMigrations(applied, versions);
  return migrations.state === "ok" ? [migrations, ...(await workerFindings(session))] : [migrations];
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

function ownMigrations(applied: readonly string[], versions: readonly string[]): Finding[] {
  const lacking = versions.filter((version) => !applied.includes(version));
  if (applied.length === 0) return [note("The database is new.", "The studio sets it up when it starts.")];
  if (applied.some((version) => !versions.includes(version))) return [newer];
  if (lacking.length === 0) return [ok("The database is up to date.")];
  return [note(`The database lacks ${count(lacking.length, "migration")}.`, "The studio applies them when it starts.")];
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

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

async function workerFindings(session: ServerSession): Promise<Finding[]> {
  const { rows } = await session.query<{ login: boolean; workers: number; cron: boolean }>(`
    select coalesce((select rolcanlogin from pg_roles where rolname = 'studio_worker'), false) as login,
      (select count(*)::integer from private.studio_workers where seen_at > now() - interval '30 seconds') as workers,
      to_regclass('cron.job') is not null as cron`);
  const { login = false, workers = 0, cron = false } = rows[0] ?? {};
  if (workers > 0) return [ok(`${count(workers, "worker")} at work.`)];
  return [
    login
      ? note("No worker is at work.", "Published workflows run where npm run worker does; see docs/server-runs.md.")
      : note(
          "No worker can connect, so published workflows do not run.",
          "alter role studio_worker login password '…';\nThen start npm run worker with it, as docs/server-runs.md says.",
        ),
    ...(await cronFindings(session, cron)),
  ];
}

/** What a worker would do besides; asked only where there is none. */
async function cronFindings(session: ServerSession, exists: boolean): Promise<Finding[]> {
  const { rows } = exists
    ? await session.query("select from cron.job where command like '%studio_delete_accounts%' and active")
    : { rows: [] };
  return rows.length > 0
    ? [ok("Deleted accounts are cleared by pg_cron.")]
    : [
        note(
          "Nobody clears what deleted accounts have left while their page is closed.",
          "Start a worker, or: create extension pg_cron; select cron.schedule('delete-accounts', '* * * * *', 'select private.studio_delete_accounts(5000)');",
        ),
      ];
}
