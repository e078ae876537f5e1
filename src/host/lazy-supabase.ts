import { loadOnce } from "../engine/load-once.ts";
import { type AuthorizedFetch, createAuthorizedFetch } from "./authorized-fetch.ts";
import { createDatabasePause } from "./database-pause.ts";
import { type KeptSession, readKeptSession, sessionStorageKey } from "./kept-session.ts";
import { type Backend, statusUrl } from "./site-config.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/**
 * A Supabase whose library is loaded when it is first asked for: it is as large as a page. Until then a session of an
 * earlier visit stands for it, and a page's first reads are plain requests.
 */
export interface LazySupabase extends Pick<SupabaseClient, "config" | "auth" | "pause" | "accessToken" | "send"> {
  client(): Promise<SupabaseClient>;
  /** Who was signed in at the last visit and still is, as long as the library is not there. */
  keptSession(): KeptSession | null;
  /** A request to the database's REST API: `sendToDatabase("/rpc/…")`. */
  sendToDatabase: AuthorizedFetch;
}

export function lazySupabase(config: Backend, send: typeof fetch): LazySupabase {
  const pause = createDatabasePause(statusUrl(config));
  let loaded = false;
  const client = loadOnce(async () => {
    const { createSupabaseClient } = await import("./supabase-client.ts");
    loaded = true;
    return createSupabaseClient(config, { fetch: send, pause });
  });

  function keptSession(): KeptSession | null {
    if (loaded) return null;
    try {
      return readKeptSession(window.localStorage, sessionStorageKey, Date.now());
    } catch {
      // A browser that forbids storage throws at the very name.
      return null;
    }
  }

  const accessToken = async () => keptSession()?.accessToken ?? (await client()).accessToken();

  const noticing: typeof fetch = async (input, init) => {
    const response = await send(input, init);
    if (response.status === 401) {
      client().then(
        ({ leaveIfEnded }) => leaveIfEnded(),
        () => {},
      );
    }
    return response;
  };
  const toDatabase = createAuthorizedFetch(config, accessToken, pause.patient(noticing));

  return {
    config,
    pause,
    client,
    keptSession,
    auth: async () => (await client()).auth(),
    accessToken,
    send: createAuthorizedFetch(config, accessToken, send),
    sendToDatabase: (path, init) => toDatabase(`/rest/v1${path}`, init),
  };
}
