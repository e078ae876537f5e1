import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod/mini";

/** What a link that resets a password names. `mark` is the password's it replaces, so that it works once. */
export interface ResetLink {
  email: string;
  mark: string;
}

const claims = z.object({ sub: z.string(), mark: z.string() });
const purpose = "switchyard-reset";
const minutes = 60;

/** How long a link holds, in words. */
export const resetLinkLasts = "one hour";

/** The address that opens the studio with the form for a new password. */
export async function createResetLink(jwtSecret: string, site: string, { email, mark }: ResetLink): Promise<string> {
  const token = await new SignJWT({ mark })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(email.toLowerCase())
    .setAudience(purpose)
    .setExpirationTime(`${minutes} minutes`)
    .sign(resetKey(jwtSecret));
  return `${site}/#reset=${token}`;
}

/** Null for what is no link of this instance, or has expired. */
export async function readResetLink(jwtSecret: string, token: string): Promise<ResetLink | null> {
  try {
    const { payload } = await jwtVerify(token, resetKey(jwtSecret), { algorithms: ["HS256"], audience: purpose });
    const { sub: email, mark } = claims.parse(payload);
    return { email, mark };
  } catch {
    return null;
  }
}

/** A key of its own, so that no link is ever taken for a session. */
function resetKey(jwtSecret: string): Uint8Array {
  return createHmac("sha256", jwtSecret).update(purpose).digest();
}
