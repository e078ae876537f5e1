import { createHash } from "node:crypto";
import { compactVerify, type JWTPayload } from "jose";
import { z } from "zod/mini";

/** The claims of a token that this instance has signed, whatever the time is; null for every other text. */
export type ReadToken = (token: string) => Promise<JWTPayload | null>;

const claimsSchema = z.looseObject({
  sub: z.optional(z.string()),
  exp: z.optional(z.number()),
  nbf: z.optional(z.number()),
  iat: z.optional(z.number()),
});
const mostRemembered = 2_000;

/** The signature of a token is checked once; whoever asks checks its times. The same token gives the same object. */
export function createTokenReader(jwtSecret: string): ReadToken {
  const key = new TextEncoder().encode(jwtSecret);
  const known = new Map<string, Promise<JWTPayload | null>>();
  return (token) => {
    const digest = createHash("sha256").update(token).digest("base64");
    const remembered = known.get(digest);
    if (remembered) return remembered;
    const claims = verify(token, key);
    // Texts that are no tokens are not kept: there is no end of them.
    if (known.size >= mostRemembered) known.clear();
    known.set(digest, claims);
    void claims.then((found) => found ?? known.delete(digest));
    return claims;
  };
}

async function verify(token: string, key: Uint8Array): Promise<JWTPayload | null> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ["HS256"] });
    const claims = claimsSchema.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return claims.data ?? null;
  } catch {
    return null;
  }
}

/** Whether a token counts at a time, in milliseconds, as `jwtVerify` of jose decides it: RFC 7519, 4.1.4 and 4.1.5. */
export function isInTime({ exp, nbf }: JWTPayload, now: number, toleranceSeconds: number): boolean {
  const seconds = Math.floor(now / 1_000);
  const hasBegun = nbf === undefined || nbf <= seconds + toleranceSeconds;
  return hasBegun && (exp === undefined || exp > seconds - toleranceSeconds);
}
