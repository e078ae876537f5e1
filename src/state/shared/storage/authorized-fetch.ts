import type { Backend } from "./site-config.ts";

/** `fetch` below the backend's origin, with the key and the user's token added: `send("/functions/v1/…")`. */
export type AuthorizedFetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Asks for the token with each request; without one it is made as nobody. */
export function createAuthorizedFetch(
  { supabaseUrl, supabaseKey }: Backend,
  accessToken: () => Promise<string | null>,
  send: typeof fetch,
): AuthorizedFetch {
  return async (path, init) => {
    const token = await accessToken();
    const headers = new Headers(init?.headers);
    headers.set("apikey", supabaseKey);
    headers.set("authorization", `Bearer ${token ?? supabaseKey}`);
    return send(`${supabaseUrl}${path}`, { ...init, headers });
  };
}
