import type { PgliteConnection } from "@supabase/lite/pglite";
import { prepareAnswers, type SupabaseApi } from "./api-answers.ts";
import type { DatabaseSettings } from "../database/database-messages.ts";
import { createRequestQueue } from "../http/request-queue.ts";
import { withoutConsole } from "../quiet-console.ts";

export type { SupabaseApi } from "./api-answers.ts";

/** What the studio takes from an open database to its first page. */
const startMs = 100;

/**
 * Brings the schema up to date and starts the PostgREST- and GoTrue-compatible API on it.
 * Throws StartError when that fails.
 */
export async function startSupabaseApi(
  connection: PgliteConnection,
  options: Pick<DatabaseSettings, "keys" | "siteUrl" | "migrations">,
): Promise<SupabaseApi> {
  const words = { name: "The data directory", instead: "start with another --data <dir>" };
  const answer = await prepareAnswers(connection, connection.driver, options, words);
  // All requests share one Postgres session, and the library opens its transactions (with the role and claims of
  // the caller) on it without a lock. Two at a time would see each other's role; so there is one at a time.
  const oneAtATime = createRequestQueue();
  // The library reads the catalog before its first answer, which takes a while: not while somebody waits for that, nor for the
  // studio, which has a few statements of its own before it is there.
  const read = () => oneAtATime(() => withoutConsole(() => connection.introspect({ useCache: true })));
  setTimeout(() => void read().catch(() => undefined), startMs).unref();
  return (request) => oneAtATime(() => answer(request));
}
