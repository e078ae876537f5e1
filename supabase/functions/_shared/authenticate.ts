import type { JSONWebKeySet, JWTVerifyResult } from "jose";
import * as errors from "jose/errors";
import { createLocalJWKSet } from "jose/jwks/local";
import { decodeJwt } from "jose/jwt/decode";
import { jwtVerify } from "jose/jwt/verify";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import { z } from "zod/mini";
import type { SupabaseClient } from "./supabase-client.ts";

/**
 * Who calls a function: a signed-in user, with the token that their database requests are made with. `isWorker`: a worker that
 * runs one of the user's published workflows. `sessionId`: the session in which the token was made; null for one of no session.
 */
export interface Caller {
  userId: string;
  token: string;
  isWorker: boolean;
  sessionId: string | null;
}

/**
 * Answers the user of an `Authorization` header; `null` for anything but a valid token of a user of this project. Whether the
 * session still goes on, the database says where the call is counted.
 */
export type Authenticate = (authorization: string | null) => Promise<Caller | null>;

const signingKeysTtlMs = 600_000;
const userTtlMs = 60_000;
const maxRemembered = 500;
const maxTokenCharacters = 8_192;
/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 5;
/** Milliseconds between two reads of the signing keys that an unknown key id can cause. */
const refreshPauseMs = 30_000;

const claimsSchema = z.object({
  sub: z.uuid(),
  role: z.literal("authenticated"),
  exp: z.number(),
  session_id: z.optional(z.uuid()),
  // Nobody but who holds the project's signing keys can put it into a token.
  switchyard: z.catch(z.optional(z.literal("worker")), undefined),
});
const userSchema = z.object({ id: z.uuid() });
const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * Verifies tokens of users. Tokens signed with a public key pair are checked here against the project's published keys, and
 * those signed with a shared secret against `jwtSecret`; where functions do not hold it, they are shown to the project's auth
 * server. Project keys, expired tokens and tokens of another project belong to no user. Rejects only when the auth server
 * cannot be reached.
 */
export function createAuthenticate(
  supabase: SupabaseClient,
  { jwtSecret = null, now = Date.now }: { jwtSecret?: string | null; now?: () => number } = {},
): Authenticate {
  const known = new Map<string, { userId: string; until: number }>();
  const readKeys = rememberSigningKeys(supabase, now);
  const secret = jwtSecret === null ? null : new TextEncoder().encode(jwtSecret);

  function verify(token: string, algorithm: string): Promise<string | null> {
    if (!algorithm.startsWith("HS")) return verifyWithKeys(token, readKeys, now);
    return secret === null ? verifyWithAuthServer(token, supabase) : verifyWithSecret(token, secret, now);
  }

  return async (authorization) => {
    const token = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined || token.length > maxTokenCharacters) return null;
    const claims = readClaims(token);
    if (claims === null || claims.exp <= now() / 1000 - clockTolerance) return null;
    const digest = await hashToken(token);
    const remembered = known.get(digest);
    const { isWorker, sessionId } = claims;
    if (remembered !== undefined && remembered.until > now()) {
      return { userId: remembered.userId, token, isWorker, sessionId };
    }
    known.delete(digest);
    const userId = await verify(token, claims.algorithm);
    if (userId === null || userId !== claims.sub) return null;
    if (known.size >= maxRemembered) known.clear();
    known.set(digest, { userId, until: Math.min(now() + userTtlMs, claims.exp * 1000) });
    return { userId, token, isWorker, sessionId };
  };
}

type ReadKeys = (refresh: boolean) => Promise<JSONWebKeySet>;

/** Reads what a token claims, before anything is verified, to sort out what cannot be a user's. */
function readClaims(
  token: string,
): { sub: string; exp: number; isWorker: boolean; sessionId: string | null; algorithm: string } | null {
  try {
    const claims = claimsSchema.safeParse(decodeJwt(token));
    const algorithm = decodeProtectedHeader(token).alg;
    if (!claims.success || algorithm === undefined || algorithm === "none") return null;
    const { sub, exp, switchyard, session_id: sessionId = null } = claims.data;
    return { sub, exp, isWorker: switchyard === "worker", sessionId, algorithm };
  } catch {
    return null;
  }
}

async function verifyWithAuthServer(token: string, supabase: SupabaseClient): Promise<string | null> {
  const user = userSchema.safeParse(await supabase.readUser(token));
  return user.success ? user.data.id : null;
}

async function verifyWithSecret(token: string, secret: Uint8Array, now: () => number): Promise<string | null> {
  try {
    return subjectOf(
      await jwtVerify(token, secret, {
        algorithms: ["HS256"],
        clockTolerance: clockTolerance,
        currentDate: new Date(now()),
      }),
    );
  } catch {
    return null;
  }
}

function subjectOf({ payload }: JWTVerifyResult): string | null {
  const claims = claimsSchema.safeParse(payload);
  return claims.success ? claims.data.sub : null;
}

async function verifyWithKeys(token: string, readKeys: ReadKeys, now: () => number): Promise<string | null> {
  for (const refresh of [false, true]) {
    const keys = await readKeys(refresh);
    try {
      return subjectOf(
        await jwtVerify(token, createLocalJWKSet(keys), {
          algorithms: ["ES256", "RS256", "EdDSA"],
          clockTolerance: clockTolerance,
          currentDate: new Date(now()),
        }),
      );
    } catch (error) {
      // A key that is not known yet may have been made since the keys were read.
      if (!(error instanceof errors.JWKSNoMatchingKey)) return null;
    }
  }
  return null;
}

function rememberSigningKeys(supabase: SupabaseClient, now: () => number): ReadKeys {
  let held: { keys: JSONWebKeySet; readAt: number } | null = null;
  return async (refresh) => {
    const age = held === null ? Infinity : now() - held.readAt;
    if (held !== null && age < (refresh ? refreshPauseMs : signingKeysTtlMs)) return held.keys;
    const parsed = keySetSchema.parse(await supabase.readSigningKeys());
    // Shared secrets never belong in a published set, so a symmetric key in it is not trusted.
    held = { keys: { keys: parsed.keys.filter((key) => key.kty !== "oct") }, readAt: now() };
    return held.keys;
  };
}

/** Tokens are remembered by their digest, so that memory holds none that could be used. */
async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
