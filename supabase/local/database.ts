import { setFlagsFromString } from "node:v8";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { createPgliteConnection, type PgliteConnection } from "@supabase/lite/pglite";
import { baselineCompilerOnly, damaged } from "./database-files.ts";
import { DurableFiles } from "./durable-files.ts";
import { errorText } from "./start-error.ts";

// These are PGlite's own parameters, with two changes. The files are synced, which PGlite turns off by -F, and so is the log:
// fdatasync, the usual way, does nothing in PGlite. And the buffers fit one user's data instead of a server's.
const startParameters = [
  "--single",
  "-O",
  "-j",
  ...["search_path=public", "exit_on_error=false", "log_checkpoints=false"].flatMap((setting) => ["-c", setting]),
  ...["max_worker_processes=0", "max_parallel_workers=0", "max_parallel_workers_per_gather=0"].flatMap((setting) => [
    "-c",
    setting,
  ]),
  ...["shared_buffers=16MB", "wal_sync_method=fsync"].flatMap((setting) => ["-c", setting]),
];

/**
 * Opens the Postgres in `directory`, whose files exist.
 * Throws StartError when they are damaged; they are left as they are.
 */
export async function openDatabase(directory: string): Promise<PgliteConnection> {
  setFlagsFromString(baselineCompilerOnly);
  try {
    const connection = await createPgliteConnection({
      pgliteOptions: {
        fs: new DurableFiles(directory),
        extensions: { vector, pg_trgm, btree_gin },
        startParams: startParameters,
        parsers: { 1184: isoTimestamp },
      },
    });
    await connection.driver.waitReady;
    await connection.driver.query("select count(*) from pg_class, pg_database, pg_roles");
    return connection;
  } catch (error) {
    throw damaged(directory, `Postgres cannot open it (${errorText(error)})`, error);
  }
}

/** `timestamptz` (type 1184, the session runs in UTC) as PostgREST writes it; Postgres' own form is no ISO date. */
function isoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/\+00$/, "+00:00");
}
