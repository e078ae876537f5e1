import { createClient, type SupabaseClient as Library } from "@supabase/supabase-js";
import { type AuthorizedFetch, createAuthorizedFetch } from "./authorized-fetch.ts";
import type { DatabaseTypes } from "./database-types.ts";
import { createDatabasePause, type DatabasePause } from "./database-pause.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { type Backend, statusUrl } from "./site-config.ts";
import { NoWebSocket } from "./no-web-socket.ts";

/** The key of the session in the browser's storage. */
export const sessionStorageKey = "switchyard:session";

/** A Supabase as the site uses it. */
export interface SupabaseClient {
  readonly config: Backend;
  readonly auth: Library["auth"];
  /** Tables and SQL functions, as the signed-in user. */
  readonly database: Database;
  /** What a hosted project tells at once. It connects when a channel is joined, and only then. */
  readonly realtime: Pick<Library["realtime"], "setAuth" | "channel" | "removeChannel">;
  /** Whether the database restarts. Tables and SQL functions wait it out. */
  readonly pause: DatabasePause;
  /** The user's access token, refreshed when it is about to expire; null when nobody is signed in. */
  accessToken(): Promise<string | null>;
  send: AuthorizedFetch;
  /** After a refused token: signs out here when the session was ended elsewhere, as by a new password. Never rejects. */
  leaveIfEnded(): Promise<void>;
}

export interface SupabaseClientOptions {
  /** False keeps the session out of the browser's storage. */
  persistSession?: boolean;
  fetch?: typeof fetch;
  /** What Realtime connects with; by default the browser's own. */
  webSocket?: typeof WebSocket;
  pause?: DatabasePause;
}

/** Connects to a Supabase, hosted or embedded, by supabase-js. Makes no request until it is used. */
export function createSupabaseClient(config: Backend, options: SupabaseClientOptions = {}): SupabaseClient {
  const { supabaseUrl, supabaseKey } = config;
  const { persistSession = true, pause = createDatabasePause(statusUrl(config)) } = options;
  const plainFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const databaseUrl = `${supabaseUrl}/rest/v1/`;

  async function renewOrLeave(): Promise<void> {
    const { error } = await library.auth.refreshSession();
    const status = error?.status ?? 0;
    // A session that has ended cannot be renewed either.
    if (status >= 400 && status < 500 && status !== 429) await library.auth.signOut({ scope: "local" });
  }
  let renewing: Promise<void> | null = null;
  const leaveIfEnded = () =>
    (renewing ??= renewOrLeave()
      .catch(() => undefined)
      .finally(() => (renewing = null)));

  const databaseFetch = pause.patient(async (input, init) => {
    const response = await plainFetch(input, init);
    if (response.status === 401) void leaveIfEnded();
    return response;
  });

  const library = createClient<DatabaseTypes>(supabaseUrl, supabaseKey, {
    auth: { storageKey: sessionStorageKey, persistSession, autoRefreshToken: persistSession },
    global: {
      fetch(input, init) {
        const address = input instanceof Request ? input.url : String(input);
        if (!address.startsWith(databaseUrl)) return plainFetch(input, init);
        // Were it thrown, the library would try again for seven seconds before anybody hears of it.
        return databaseFetch(input, init).catch((error: unknown) => {
          if (error instanceof TypeError) return Response.error();
          throw error;
        });
      },
    },
    realtime: { transport: options.webSocket ?? globalThis.WebSocket ?? NoWebSocket },
  });

  async function accessToken(): Promise<string | null> {
    const { data } = await library.auth.getSession();
    return data.session?.access_token ?? null;
  }

  return {
    config,
    auth: library.auth,
    database: library,
    realtime: library.realtime,
    pause,
    accessToken,
    send: createAuthorizedFetch(config, accessToken, plainFetch),
    leaveIfEnded,
  };
}
