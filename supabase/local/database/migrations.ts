import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { adoptBaseline, isBeforeBaseline } from "./baseline.ts";
import type { DatabaseNaming } from "./database-naming.ts";
import { inTransaction, type SqlSession } from "./sql-session.ts";
import { errorText, StartError } from "../start-error.ts";

const fileName = /^(\d+)_(.+)\.sql$/;

interface Migration {
  version: string;
  name: string;
  file: string;
}

/**
 * Applies the migrations that `supabase_migrations.schema_migrations` does not list yet, in order of their version,
 * each in a transaction of its own together with its record, as `supabase db push` does.
 * Returns the versions applied. Throws StartError naming the file that failed, when what came before it stays, and for data
 * that are too old. `until`: the last one that is wanted; all of them without it.
 */
export async function applyMigrations(session: SqlSession, directory: string, until?: string): Promise<string[]> {
  const { rows } = await session.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const migrations = await listMigrations(directory);
  const applied = await adoptBaseline(session, migrations, new Set(rows.map((row) => row.version)));
  const pending = migrations.filter(
    ({ version }) => !applied.has(version) && (until === undefined || version <= until),
  );
  for (const { version, name, file } of pending) {
    const sql = await readFile(join(directory, file), "utf8");
    try {
      await inTransaction(session, async () => {
        await session.exec(sql);
        await session.query(
          "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)",
          [version, name, [sql]],
        );
      });
    } catch (error) {
      throw new StartError(
        `The migration ${file} failed: ${errorText(error)}`,
        "It was rolled back and your data is unchanged. Correct the migration, or go back to the previous version.",
        error,
      );
    }
  }
  return pending.map((migration) => migration.version);
}

/**
 * Refuses data that a newer version of Switchyard has brought up to date: an older program would misread them, and write what
 * the newer one does not expect. Throws StartError; nothing is changed.
 */
export async function refuseNewerData(session: SqlSession, directory: string, words: DatabaseNaming): Promise<void> {
  const { rows: tables } = await session.query<{ exists: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  if (!tables[0]?.exists) return;
  const { rows } = await session.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const known = new Set((await listMigrations(directory)).map(({ version }) => version));
  const unknown = rows
    .map(({ version }) => version)
    .filter((version) => !known.has(version) && !isBeforeBaseline(version));
  if (unknown.length === 0) return;
  throw new StartError(
    `${words.name} was used by a newer version of Switchyard (its database has the migration ${unknown.toSorted().at(-1)}).`,
    `Nothing was changed. Start that version, or ${words.instead}.`,
  );
}

/** Refuses data to which not all migrations are applied. Throws StartError; nothing is changed. */
export async function refuseOlderData(session: SqlSession, directory: string, words: DatabaseNaming): Promise<void> {
  const { rows } = await session.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const applied = new Set(rows.map(({ version }) => version));
  const missing = (await listMigrations(directory)).find(({ version }) => !applied.has(version));
  if (!missing) return;
  throw new StartError(
    `${words.name} was last used by an older version of Switchyard (it lacks the migration ${missing.version}).`,
    "Nothing was changed. Start the studio on it once with this version, stop it, and try again.",
  );
}

/** The newest migration that a database has. */
export async function lastMigration(session: SqlSession): Promise<string> {
  const { rows } = await session.query<{ version: string | null }>(
    "select max(version) as version from supabase_migrations.schema_migrations",
  );
  return rows[0]?.version ?? "";
}

export async function listMigrations(directory: string): Promise<Migration[]> {
  const files = await readdir(directory);
  return files
    .flatMap((file) => {
      const [, version, name] = fileName.exec(file) ?? [];
      return version !== undefined && name !== undefined ? [{ version, name, file }] : [];
    })
    .toSorted((left, right) => left.version.localeCompare(right.version));
}
