import { createHmac, randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod/mini";

/** An invite that this instance has given, whether or not it was used. */
export interface Invite {
  id: string;
  expiresAt: Date;
}

const claims = z.object({ jti: z.uuid(), exp: z.number() });
const purpose = "switchyard-invite";

/** A text that lets one person create an account within `days`. */
export async function createInvite(jwtSecret: string, days: number): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setJti(randomUUID())
    .setAudience(purpose)
    .setExpirationTime(`${days} days`)
    .sign(inviteKey(jwtSecret));
}

/** Null for what is no invite of this instance, or has expired. */
export async function readInvite(jwtSecret: string, text: string): Promise<Invite | null> {
  try {
    const { payload } = await jwtVerify(text, inviteKey(jwtSecret), { algorithms: ["HS256"], audience: purpose });
    const { jti, exp } = claims.parse(payload);
    return { id: jti, expiresAt: new Date(exp * 1000) };
  } catch {
    return null;
  }
}

/** A key of its own, so that no invite is ever taken for a session. */
function inviteKey(jwtSecret: string): Uint8Array {
  return createHmac("sha256", jwtSecret).update(purpose).digest();
}
