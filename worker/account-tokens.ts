import { SignJWT } from "jose";
import { readSigningKey, type SigningKey } from "./signing-key.ts";

/** Makes tokens with which a worker acts for the owner of a run. */
export interface TokenSource {
  tokenFor(owner: string): Promise<string>;
}

/** Seconds for which a token counts, and before whose end a new one is made. */
export const tokenSeconds = 600;
const renewSeconds = 120;

/**
 * A token of no session: the owner may be signed out, and the run goes on. Functions count its calls as a worker's. The key is the
 * project's, or the text of one as `readSigningKey` takes it.
 */
export async function signAccountToken(owner: string, signingKey: SigningKey | string): Promise<string> {
  const { key, header } = typeof signingKey === "string" ? await readSigningKey(signingKey) : signingKey;
  return new SignJWT({ role: "authenticated", switchyard: "worker" })
    .setProtectedHeader(header)
    .setSubject(owner)
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds} seconds`)
    .sign(key);
}

/** Keeps each owner's token until shortly before its end. */
export function rememberTokens(make: (owner: string) => Promise<string>): TokenSource {
  const known = new Map<string, { token: Promise<string>; until: number }>();
  return {
    tokenFor(owner) {
      const held = known.get(owner);
      if (held !== undefined && held.until > Date.now()) return held.token;
      const token = make(owner);
      known.set(owner, { token, until: Date.now() + (tokenSeconds - renewSeconds) * 1_000 });
      token.catch(() => known.delete(owner));
      return token;
    },
  };
}
