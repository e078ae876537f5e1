import type { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { loadOnce } from "../engine/load-once.ts";
import { createDatabasePause, type DatabasePause } from "./database-pause.ts";
import { type KeptSession, readKeptSession } from "./kept-session.ts";
import type { Backend } from "./site-config.ts";

/** The parts of supabase-js that the site uses; the whole would load Realtime and Storage as well. */
export interface SupabaseClient {
  readonly config: Backend;
  /** The auth library; it is large, so it is loaded when it is first asked for. */
  auth(): Promise<InstanceType<typeof AuthClient>>;
  /** Who was signed in at the last visit and still is; with it a page stands before the auth library is there. */
  keptSession(): KeptSession | null;
  /** Tables and SQL functions, as the signed-in user. */
  readonly database: PostgrestClient;
  /** Whether the database restarts. Tables and SQL functions wait it out. */
  readonly pause: DatabasePause;
  /** The user's access token, refreshed when it is about to expire; null when nobody is signed in. */
  accessToken(): Promise<string | null>;
  /** `fetch` below the backend's origin, with the key and the user's token added: `send("/functions/v1/…")`. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

interface SupabaseClientOptions {
  /** False keeps the session out of the browser's storage. */
  persistSession?: boolean;
  fetch?: typeof fetch;
}

/** The browser's storage key of the session. */
export const sessionStorageKey = "switchyard:session";

/** Connects to a Supabase, hosted or embedded. Makes no request until it is used. */
export function createSupabaseClient(config: Backend, options: SupabaseClientOptions = {}): SupabaseClient {
  const { supabaseUrl, supabaseKey } = config;
  const plainFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const pause = createDatabasePause(`${supabaseUrl}/.well-known/switchyard`);
  const persistSession = options.persistSession ?? true;
  let loaded = false;
  const auth = loadOnce(async () => {
    const { AuthClient: Client } = await import("@supabase/auth-js");
    loaded = true;
    return new Client({
      url: `${supabaseUrl}/auth/v1`,
      // The library overwrites `Authorization`, in this very spelling, once there is a user.
      headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
      storageKey: sessionStorageKey,
      persistSession,
      autoRefreshToken: persistSession,
      fetch: plainFetch,
    });
  });

  function keptSession(): KeptSession | null {
    if (!persistSession || loaded) return null;
    try {
      return readKeptSession(window.localStorage, sessionStorageKey, Date.now());
    } catch {
      // A browser that forbids storage throws at the very name.
      return null;
    }
  }

  async function accessToken(): Promise<string | null> {
    const kept = keptSession();
    if (kept !== null) return kept.accessToken;
    const { data } = await (await auth()).getSession();
    return data.session?.access_token ?? null;
  }

  const authorizedFetch: typeof fetch = async (input, init) => {
    const token = await accessToken();
    const headers = new Headers(init?.headers);
    headers.set("apikey", supabaseKey);
    headers.set("authorization", `Bearer ${token ?? supabaseKey}`);
    return plainFetch(input, { ...init, headers });
  };

  let renewing: Promise<unknown> | null = null;
  /** Leaves a session that was ended elsewhere, as by a new password: it cannot be renewed either. */
  const leaveIfEnded = async () => {
    const library = await auth();
    const { error } = await library.refreshSession();
    const status = error?.status ?? 0;
    if (status >= 400 && status < 500 && status !== 429) await library.signOut({ scope: "local" });
  };
  const databaseFetch: typeof fetch = async (input, init) => {
    const response = await authorizedFetch(input, init);
    if (response.status === 401 && renewing === null) {
      renewing = leaveIfEnded()
        .catch(() => undefined)
        .finally(() => (renewing = null));
    }
    return response;
  };

  return {
    config,
    auth,
    keptSession,
    database: new PostgrestClient(`${supabaseUrl}/rest/v1`, { fetch: pause.patient(databaseFetch), retry: false }),
    pause,
    accessToken,
    send: (path, init) => authorizedFetch(`${supabaseUrl}${path}`, init),
  };
}
