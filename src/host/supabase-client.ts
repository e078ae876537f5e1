import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import type { SiteConfig } from "./site-config.ts";

/** The parts of supabase-js that the site uses; the whole would load Realtime and Storage as well. */
export interface SupabaseClient {
  readonly config: SiteConfig;
  readonly auth: InstanceType<typeof AuthClient>;
  /** Tables and SQL functions, as the signed-in user. */
  readonly database: PostgrestClient;
  /** The user's access token, refreshed when it is about to expire; null when nobody is signed in. */
  accessToken(): Promise<string | null>;
  /** `fetch` below the backend's origin, with the key and the user's token added: `send("/functions/v1/…")`. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

export interface SupabaseClientOptions {
  /** False keeps the session out of the browser's storage. */
  persistSession?: boolean;
  fetch?: typeof fetch;
}

/** The browser's storage key of the session. */
export const sessionStorageKey = "switchyard:session";

/** Connects to a Supabase, hosted or embedded. Makes no request until it is used. */
export function createSupabaseClient(config: SiteConfig, options: SupabaseClientOptions = {}): SupabaseClient {
  const { supabaseUrl, supabaseKey } = config;
  const plainFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const auth = new AuthClient({
    url: `${supabaseUrl}/auth/v1`,
    // The library overwrites `Authorization`, in this very spelling, once there is a user.
    headers: { apikey: supabaseKey, Authorization: `Bearer ${supabaseKey}` },
    storageKey: sessionStorageKey,
    persistSession: options.persistSession ?? true,
    autoRefreshToken: options.persistSession ?? true,
    fetch: plainFetch,
  });

  async function accessToken(): Promise<string | null> {
    const { data } = await auth.getSession();
    return data.session?.access_token ?? null;
  }

  const authorizedFetch: typeof fetch = async (input, init) => {
    const token = await accessToken();
    const headers = new Headers(init?.headers);
    headers.set("apikey", supabaseKey);
    headers.set("authorization", `Bearer ${token ?? supabaseKey}`);
    return plainFetch(input, { ...init, headers });
  };

  return {
    config,
    auth,
    database: new PostgrestClient(`${supabaseUrl}/rest/v1`, { fetch: authorizedFetch, retry: false }),
    accessToken,
    send: (path, init) => authorizedFetch(`${supabaseUrl}${path}`, init),
  };
}
