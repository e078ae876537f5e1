import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DataDirectory } from "./data-directory.ts";
import { baselineCompilerOnly } from "./fork-database.mjs";
import { errorText, StartError } from "../start-error.ts";
import { renameSynced, syncTree } from "./synced-files.ts";

const run = promisify(execFile);

const postgresVersion = "17";

/**
 * Makes the Postgres files of a data directory, or checks those that are there.
 * Throws StartError when they are damaged; they are left as they are.
 */
export async function prepareDatabaseFiles(directory: DataDirectory): Promise<void> {
  if (existsSync(directory.database)) await checkFiles(directory.database);
  else await createFiles(directory);
}

async function createFiles(directory: DataDirectory): Promise<void> {
  // Only a first start that was cut short leaves a draft. Its process may still be writing, so each has a name of its own.
  const drafts = (await readdir(directory.root)).filter((name) => name.startsWith(basename(directory.databaseDraft)));
  for (const name of drafts)
    await rm(join(directory.root, name), { recursive: true, force: true }).catch(() => undefined);
  const draft = `${directory.databaseDraft}-${randomUUID().slice(0, 8)}`;
  const script = fileURLToPath(new URL("initialise-database.mjs", import.meta.url));
  try {
    // It ends with us: we hold its standard input open.
    await run(process.execPath, [baselineCompilerOnly, script, draft, "while-input-is-open"]);
    syncTree(draft);
    renameSynced(draft, directory.database);
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

export function damaged(path: string, reason: string, cause?: unknown): StartError {
  return new StartError(
    `The data directory is damaged: ${path} cannot be used, because ${reason}.`,
    "Nothing was deleted. Restore the directory from a backup, or start with another --data <dir>.",
    cause,
  );
}
