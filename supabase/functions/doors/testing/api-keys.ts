import { z } from "zod/mini";
import type { SignedIn } from "../../../local/testing/clients.ts";

const madeSchema = z.object({ id: z.string(), key: z.string() });

/** Makes an API key as the settings page does. */
export async function makeApiKey(
  { client }: SignedIn,
  scopes: readonly string[],
  limits: object = {},
  expiresAt: string | null = null,
): Promise<{ id: string; key: string }> {
  const { data, error } = await client.rpc("studio_make_api_key", {
    p_name: "Test",
    p_scopes: scopes,
    p_limits: limits,
    p_expires_at: expiresAt,
  });
  if (error) throw new Error(error.message);
  return madeSchema.parse(data);
}
