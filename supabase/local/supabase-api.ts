import { App, InMemoryEmailDriver } from "@supabase/lite";
import type { PgliteConnection } from "@supabase/lite/pglite";
import type { DatabaseSettings } from "./database-messages.ts";
import { createDirectCalls } from "./direct-calls.ts";
import { applyMigrations, refuseNewerData } from "./migrations.ts";
import { asPostgrestAnswers } from "./postgrest-answer.ts";
import { createRequestQueue } from "./request-queue.ts";
import { withoutConsole } from "./quiet-console.ts";
import { errorText, StartError } from "./start-error.ts";
import { ensureHostedDefaults, keepGrantsAsMigrated } from "./system-schema.ts";

/** Answers requests below /rest/v1 and /auth/v1. The body has been read, so that a slow client holds up nobody. */
export type SupabaseApi = (request: Request) => Promise<Response>;

/**
 * Brings the schema up to date and starts the PostgREST- and GoTrue-compatible API on it.
 * Throws StartError when that fails.
 */
export async function startSupabaseApi(
  connection: PgliteConnection,
  options: Pick<DatabaseSettings, "keys" | "siteUrl" | "migrations">,
): Promise<SupabaseApi> {
  const { keys, siteUrl, migrations } = options;
  const app = new App({
    connection,
    api: { schemas: ["public"], max_rows: 1000 },
    auth: {
      enabled: true,
      site_url: siteUrl,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      enable_signup: true,
      minimum_password_length: 8,
      email: { enable_signup: true, enable_confirmations: false },
    },
    // No mail leaves the machine, and no token lands in the terminal.
    options: { drivers: { email: new InMemoryEmailDriver({ maxKeepCount: 10 }) }, server: { disableStudio: true } },
  });
  await refuseNewerData(connection, migrations);
  try {
    await app.init();
    await app.ensureSystemSchema();
    await ensureHostedDefaults(connection);
  } catch (error) {
    throw new StartError(
      `The database opens, but its system schema cannot be brought up to date: ${errorText(error)}`,
      "Nothing was deleted. Restore the data directory from a backup, or start with another --data <dir>.",
      error,
    );
  }
  await applyMigrations(connection, migrations);
  await connection.clearSchemaCache();
  keepGrantsAsMigrated(connection);

  // All requests share one Postgres session, and the library opens its transactions (with the role and claims of
  // the caller) on it without a lock. Two at a time would see each other's role; so there is one at a time.
  const oneAtATime = createRequestQueue();
  // The library reads the catalog before its first answer, which takes a while: not while somebody waits.
  void oneAtATime(() => withoutConsole(() => connection.introspect({ useCache: true }))).catch(() => undefined);
  const direct = createDirectCalls(connection.driver, keys.secretKey);
  return (request) =>
    oneAtATime(async () => {
      const answered = await direct(request);
      if (answered) return answered;
      const response = await withoutConsole(async () => app.fetch(request, { peerAddress: null }));
      const { status, body } = asPostgrestAnswers(response.status, await response.text());
      const isEmpty = request.method === "HEAD" || [101, 204, 205, 304].includes(status);
      const headers = new Headers(response.headers);
      headers.delete("content-length");
      return new Response(isEmpty ? null : body, { status, headers });
    });
}
