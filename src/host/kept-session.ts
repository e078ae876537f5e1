import { z } from "zod/mini";

/** The key of the session in the storage that supabase-js is given. */
export const sessionStorageKey = "switchyard:session";

/** A session of an earlier visit, as far as a page needs it before supabase-js is there. */
export interface KeptSession {
  accessToken: string;
  user: { id: string; email?: string; is_anonymous?: boolean };
}

/** The library refreshes a token 90 seconds before its end; a kept one has to last a little longer than that. */
const marginSeconds = 120;

const stored = z.object({
  access_token: z.string(),
  /** Seconds since 1970. */
  expires_at: z.number(),
  user: z.object({ id: z.string(), email: z.optional(z.string()), is_anonymous: z.optional(z.boolean()) }),
});

/** Reads what supabase-js wrote under `key`; null when there is nothing, or nothing that still holds. */
export function readKeptSession(storage: Pick<Storage, "getItem">, key: string, now: number): KeptSession | null {
  try {
    const { access_token: accessToken, expires_at: end, user } = stored.parse(JSON.parse(storage.getItem(key) ?? ""));
    return end - marginSeconds > now / 1000 ? { accessToken, user } : null;
  } catch {
    return null;
  }
}
