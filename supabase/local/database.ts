import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { createPgliteConnection, type PgliteConnection } from "@supabase/lite/pglite";
import type { DataDirectory } from "./data-directory.ts";
import { errorText, StartError } from "./start-error.ts";

const run = promisify(execFile);

// Postgres compiled by V8's baseline compiler alone answers as fast, starts in half the time, and saves
// some 100 MB over a second, optimised copy of its code.
const baselineCompilerOnly = "--liftoff-only";

const postgresVersion = "17";

// PGlite's own parameters, with two changes: fsync stays on (PGlite turns it off with -F), so that a power
// cut loses nothing, and the buffers fit one user's data instead of a server's.
const startParameters = [
  "--single",
  "-O",
  "-j",
  ...["search_path=public", "exit_on_error=false", "log_checkpoints=false"].flatMap((setting) => ["-c", setting]),
  ...["max_worker_processes=0", "max_parallel_workers=0", "max_parallel_workers_per_gather=0"].flatMap((setting) => [
    "-c",
    setting,
  ]),
  "-c",
  "shared_buffers=16MB",
];

/**
 * Opens the Postgres of a data directory, making it first when there is none.
 * Throws StartError when its files are damaged; they are left as they are.
 */
export async function openDatabase(directory: DataDirectory): Promise<PgliteConnection> {
  setFlagsFromString(baselineCompilerOnly);
  if (existsSync(directory.database)) await checkFiles(directory.database);
  else await createFiles(directory);
  try {
    const connection = await createPgliteConnection({
      url: directory.database,
      pgliteOptions: {
        extensions: { vector, pg_trgm, btree_gin },
        startParams: startParameters,
        parsers: { 1184: isoTimestamp },
      },
    });
    await connection.driver.waitReady;
    await connection.driver.query("select count(*) from pg_class, pg_database, pg_roles");
    return connection;
  } catch (error) {
    throw damaged(directory.database, `Postgres cannot open it (${errorText(error)})`, error);
  }
}

/** `timestamptz` (type 1184, the session runs in UTC) as PostgREST writes it; Postgres' own form is no ISO date. */
function isoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/\+00$/, "+00:00");
}

async function createFiles(directory: DataDirectory): Promise<void> {
  // Only a first start that was cut short leaves a draft.
  await rm(directory.databaseDraft, { recursive: true, force: true });
  const script = fileURLToPath(new URL("initialise-database.mjs", import.meta.url));
  try {
    await run(process.execPath, [baselineCompilerOnly, script, directory.databaseDraft]);
    await rename(directory.databaseDraft, directory.database);
  } catch (error) {
    throw new StartError(
      `The database could not be made in ${directory.root}: ${whyOf(error)}.`,
      "Check that the disk has 100 MB free and that the directory may be written, then start again.",
      error,
    );
  }
}

/** What the process that makes the files has said last; without that, how it ended. */
function whyOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return said === "" ? errorText(error) : said;
}

/** The checks that Postgres makes only after it has begun to write, or answers with a crash. */
async function checkFiles(path: string): Promise<void> {
  const version = await readFile(join(path, "PG_VERSION"), "utf8").catch(() => null);
  if (version === null) throw damaged(path, "its PG_VERSION file is missing or unreadable");
  if (version.trim() !== postgresVersion) {
    throw damaged(path, `it is not a Postgres ${postgresVersion} database (PG_VERSION says something else)`);
  }
  const control = await stat(join(path, "global", "pg_control")).catch(() => null);
  if (control?.size !== 8192) throw damaged(path, "its control file is missing or cut");
  for (const name of ["base", "pg_wal", "pg_xact"]) {
    const entry = await stat(join(path, name)).catch(() => null);
    if (!entry?.isDirectory()) throw damaged(path, `its ${name} directory is missing`);
  }
}

function damaged(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(
    `The data directory is damaged: ${path} cannot be used, because ${reason}.`,
    "Nothing was deleted. Restore the directory from a backup, or start with another --data <dir>.",
    cause,
  );
}
