import { App, type Connection, InMemoryEmailDriver } from "@supabase/lite";
import type { DatabaseSettings } from "../database/database-messages.ts";
import type { DatabaseNaming } from "../database/database-naming.ts";
import { createDirectAnswers } from "./direct-answers.ts";
import { applyMigrations, refuseNewerData } from "../database/migrations.ts";
import { asPostgrestAnswers } from "./postgrest-answer.ts";
import { withoutConsole } from "../quiet-console.ts";
import type { SqlSession } from "../database/sql-session.ts";
import { errorText, StartError } from "../start-error.ts";
import { ensureHostedDefaults, keepGrantsAsMigrated } from "../database/system-schema.ts";

/** Answers requests below /rest/v1 and /auth/v1. The body has been read, so that a slow client holds up nobody. */
export type SupabaseApi = (request: Request) => Promise<Response>;

/**
 * Brings the schema up to date and gives the PostgREST- and GoTrue-compatible API on it. `session` is where the library's
 * connection sends its statements; a request must have it to itself. Throws StartError when the schema cannot be brought up
 * to date. `until`: the last migration that is wanted.
 */
export async function prepareAnswers(
  connection: Connection,
  session: SqlSession,
  { keys, siteUrl, migrations, until }: Pick<DatabaseSettings, "keys" | "siteUrl" | "migrations"> & { until?: string },
  words: DatabaseNaming,
): Promise<SupabaseApi> {
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
      // The API's own rule ends no session; ours is in auth/session-renewal.ts.
      enable_refresh_token_rotation: false,
      email: { enable_signup: true, enable_confirmations: false },
    },
    // No mail leaves the machine, and no token lands in the terminal.
    options: { drivers: { email: new InMemoryEmailDriver({ maxKeepCount: 10 }) }, server: { disableStudio: true } },
  });
  await refuseNewerData(session, migrations, words);
  try {
    await app.init();
    await app.ensureSystemSchema();
    await ensureHostedDefaults(session);
  } catch (error) {
    throw new StartError(
      `The database opens, but its system schema cannot be brought up to date: ${errorText(error)}`,
      `Nothing was deleted. Restore the database from a backup, or ${words.instead}.`,
      error,
    );
  }
  await applyMigrations(session, migrations, until);
  await connection.clearSchemaCache();
  keepGrantsAsMigrated(connection);

  const direct = createDirectAnswers(session, keys);
  return async (asked) => {
    const request = await direct(asked);
    if (request instanceof Response) return request;
    const response = await withoutConsole(async () => app.fetch(request, { peerAddress: null }));
    const { status, body } = asPostgrestAnswers(response.status, await response.text());
    const isEmpty = request.method === "HEAD" || [101, 204, 205, 304].includes(status);
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(isEmpty ? null : body, { status, headers });
  };
}
