import { setFlagsFromString } from "node:v8";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { vector } from "@electric-sql/pglite/vector";
import { PgliteConnection } from "@supabase/lite/pglite";
import { damaged } from "./database-files.ts";
import { DurableFiles } from "./durable-files.ts";
import { baselineCompilerOnly } from "./fork-database.mjs";
import { isoTimestamp } from "./postgres/column-types.ts";
import { leaveOutUnusedExtensions } from "./library-extensions.ts";
import { loadPostgresEngine, type PostgresEngine } from "./postgres-engine.ts";
import { settingsOfRequest, withSettings } from "../rest/request-settings.ts";
import { errorText } from "../start-error.ts";

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
  ...["shared_buffers=16MB", "wal_sync_method=fsync", "max_wal_size=64MB", "min_wal_size=32MB"].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

/**
 * Opens the Postgres in `directory`, whose files exist, by an engine that may have been loaded ahead.
 * Throws StartError when they are damaged; they are left as they are.
 */
export async function openDatabase(directory: string, engine?: Promise<PostgresEngine>): Promise<PgliteConnection> {
  setFlagsFromString(baselineCompilerOnly);
  leaveOutUnusedExtensions();
  const loaded = await (engine ?? loadPostgresEngine());
  try {
    const connection = new EmbeddedConnection({
      pgliteOptions: {
        ...loaded,
        fs: new DurableFiles(directory),
        extensions: { vector, pg_trgm, btree_gin },
        startParams: startParameters,
        parsers: { 1184: isoTimestamp },
      },
    });
    await connection.driver.waitReady;
    await connection.driver.query("select count(*) from pg_class, pg_database, pg_roles");
    await keepUsualParsers(connection);
    return connection;
  } catch (error) {
    throw damaged(directory, `Postgres cannot open it (${errorText(error)})`, error);
  }
}

/** Array types whose values are read as arrays, by name of their elements. */
const usualArrays =
  "bool, bytea, char, name, int2, int4, int8, text, varchar, oid, float4, float8, timestamp, timestamptz, date, numeric, uuid, json, jsonb";

/**
 * PGlite reads every array type of every table's rows, and copies that list of hundreds for each statement, which took most of
 * a short one's time. Other arrays are read as Postgres writes them.
 */
async function keepUsualParsers({ driver }: PgliteConnection): Promise<void> {
  const { rows } = await driver.query<{ oid: number }>(
    "select typarray as oid from pg_type where typarray <> 0 and not typname::text = any (string_to_array($1, ', '))",
    [usualArrays],
  );
  for (const { oid } of rows) delete driver.parsers[oid];
}

type Context = PgliteConnection["withContext"];

/** The library's connection, which says who asks in one statement instead of six to eleven. */
class EmbeddedConnection extends PgliteConnection {
  override async withContext<Result>(
    vars: Parameters<Context>[0],
    work: (database: Parameters<Parameters<Context>[1]>[0]) => Promise<Result>,
    options?: Parameters<Context>[2],
  ): Promise<Result> {
    const settings = settingsOfRequest(vars, options);
    if (!settings) return super.withContext(vars, work, options);
    return withSettings(this.driver, settings, () => work(this.kysely));
  }
}
