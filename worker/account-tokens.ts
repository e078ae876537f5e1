import { SignJWT } from "jose";

/** Makes tokens with which a worker acts for the owner of a run. */
export interface TokenSource {
  tokenFor(owner: string): Promise<string>;
}

/** Seconds for which a token counts, and before whose end a new one is made. */
export const tokenSeconds = 600;
const renewSeconds = 120;

/** A token of no session: the owner may be signed out, and the run goes on. Functions count its calls as a worker's. */
export async function signAccountToken(owner: string, jwtSecret: string): Promise<string> {
  return new SignJWT({ role: "authenticated", switchyard: "worker" })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(owner)
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds} seconds`)
    .sign(new TextEncoder().encode(jwtSecret));
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
