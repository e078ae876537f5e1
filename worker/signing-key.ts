import { type CryptoKey, importJWK, type JWTHeaderParameters } from "jose";
import { z } from "zod/mini";

/** What signs users' tokens of a project, and the header that says so. */
export interface SigningKey {
  key: CryptoKey | Uint8Array;
  header: JWTHeaderParameters;
}

const algorithms = ["ES256", "RS256"];

/** `key_ops` and `ext` stay out: the Supabase CLI writes `verify` among the first, which no private key can do. */
const privateKeySchema = z.discriminatedUnion("kty", [
  z.object({ kty: z.literal("EC"), crv: z.string(), x: z.string(), y: z.string(), d: z.string() }),
  z.object({
    kty: z.literal("RSA"),
    n: z.string(),
    e: z.string(),
    d: z.string(),
    p: z.string(),
    q: z.string(),
    dp: z.string(),
    dq: z.string(),
    qi: z.string(),
  }),
]);
const factsSchema = z.object({
  kty: z.string(),
  alg: z.optional(z.string()),
  kid: z.optional(z.string()),
  d: z.optional(z.string()),
});

/** Whatever else a key has stays out, its private numbers among it. */
const publicFactsSchema = z.object({
  kty: z.string(),
  kid: z.string(),
  alg: z.optional(z.string()),
  crv: z.optional(z.string()),
  x: z.optional(z.string()),
  y: z.optional(z.string()),
  n: z.optional(z.string()),
  e: z.optional(z.string()),
});

/**
 * Reads the key with which a project signs its users' tokens: a private JWK with `kid` (ES256 or RS256,
 * https://supabase.com/docs/guides/auth/signing-keys), or the text of its legacy secret (HS256). Throws what is wrong with a JWK
 * and what to do; never with a part of it.
 */
export async function readSigningKey(text: string): Promise<SigningKey> {
  const written = text.trim();
  if (!written.startsWith("{")) {
    return { key: new TextEncoder().encode(written), header: { alg: "HS256", typ: "JWT" } };
  }
  const jwk = parsed(written);
  const facts = factsSchema.safeParse(jwk);
  if (!facts.success) throw refused("is not a JWK as JSON");
  const { alg = facts.data.kty === "RSA" ? "RS256" : "ES256", kid } = facts.data;
  if (!algorithms.includes(alg)) throw refused(`is for ${alg}; workers sign with ES256 or RS256`);
  if (!kid) throw refused("has no kid, by which the project knows it");
  if (facts.data.d === undefined) throw refused("is a public key");
  const key = privateKeySchema.safeParse(jwk);
  if (!key.success) throw refused("is not complete");
  try {
    return { key: await importJWK(key.data, alg), header: { alg, kid, typ: "JWT" } };
  } catch {
    throw refused("is damaged");
  }
}

/** The public part of a private JWK, as a project publishes it; null for the text of a legacy secret. */
export function readPublicKey(text: string): Record<string, string> | null {
  const written = text.trim();
  const facts = written.startsWith("{") ? publicFactsSchema.safeParse(parsed(written)) : undefined;
  if (facts === undefined) return null;
  if (!facts.success) throw refused("is not complete");
  return Object.fromEntries(Object.entries(facts.data).filter(([, value]) => value !== undefined));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(what: string): Error {
  return new Error(
    `The signing key ${what}. Give the private JWK that npx supabase gen signing-key made and the project has imported, or the legacy secret.`,
  );
}
