import { parseJson } from "../../../engine/json.ts";
import { z } from "zod/mini";

/** Where the backend is. */
export interface Backend {
  /** Absolute origin of Supabase, without a slash at the end. */
  supabaseUrl: string;
  /** The publishable key. */
  supabaseKey: string;
  /** Whether this is the embedded Supabase: it has no anonymous sign-in, so a guest is an account made by this browser. */
  embedded: boolean;
}

/** Where the embedded backend says how it is. */
export const statusUrl = ({ supabaseUrl }: Backend) => `${supabaseUrl}/.well-known/switchyard`;

export interface SiteConfig extends Backend {
  /** Who may create an account here. A hosted Supabase decides that itself when somebody tries. */
  signUp: "open" | "invite" | "closed";
  /** Whether a link for a new password can come by mail. A hosted Supabase sends it. */
  mail: boolean;
  /** Whether only this machine reaches the studio, so that model servers of this machine are its user's own. */
  local: boolean;
  /** The address of a list of templates that the operator names; null for none. */
  gallery: string | null;
  /** The address of a list of models with their prices that the operator names; null for none. */
  prices: string | null;
}

const injected = z.object({
  supabaseUrl: z.string(),
  supabaseKey: z.string().check(z.minLength(1)),
  embedded: z.optional(z.boolean()),
  signUp: z.optional(z.enum(["open", "invite", "closed"])),
  mail: z.optional(z.boolean()),
  local: z.optional(z.boolean()),
  gallery: z.optional(z.string()),
  prices: z.optional(z.string()),
});

/**
 * The configuration that the server put into the page as JSON (`text`), or else the one that was built in. An empty URL
 * means the page's own origin, which is where the embedded Supabase is. Null when neither names a key.
 */
export function readSiteConfig(
  text: string | null,
  built: { url: string | undefined; key: string | undefined },
  origin: string,
): SiteConfig | null {
  const parsed = injected.safeParse(parseJson(text ?? ""));
  const found = parsed.success ? parsed.data : { supabaseUrl: built.url ?? "", supabaseKey: built.key ?? "" };
  if (found.supabaseKey === "") return null;
  const ownOrigin = found.supabaseUrl === "";
  const embedded = ("embedded" in found ? found.embedded : undefined) ?? ownOrigin;
  return {
    supabaseUrl: ownOrigin ? origin : found.supabaseUrl.replace(/\/+$/, ""),
    supabaseKey: found.supabaseKey,
    embedded,
    signUp: ("signUp" in found ? found.signUp : undefined) ?? "open",
    mail: ("mail" in found ? found.mail : undefined) ?? !embedded,
    local: ("local" in found ? found.local : undefined) ?? false,
    gallery: ("gallery" in found ? found.gallery : undefined) ?? null,
    prices: ("prices" in found ? found.prices : undefined) ?? null,
  };
}
