import { createHash } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { deletingPaths } from "./account-deletions.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";
import { isInTime, type ReadToken } from "./token-reader.ts";

/** Milliseconds for which a session is taken to go on after it was looked at. */
const trustedMs = 4_000;
const mostRemembered = 2_000;
/** Seconds after its end for which a token still counts, for clocks that differ. */
const lateSeconds = 30;
/** Seconds that a clock may have been set back since a token was made. */
const earlySeconds = 2 * 3600;

/** Calls that may have ended other sessions as well. */
export const endingPaths = new Set([
  "/auth/v1/logout",
  ...deletingPaths,
  ...["studio_keep_guest", "studio_set_password", "studio_reset_password"].map((name) => `/rest/v1/rpc/${name}`),
]);

type Keys = Pick<InstanceKeys, "jwtSecret" | "publishableKey">;

/**
 * Puts the API behind a check of the caller's session, since the API itself reads tokens alone: the token of a session that
 * has ended is refused (401) within seconds, and one that seems to be of the future, because the clock was set back, is
 * taken. What is no user's token passes as it is, for the API to judge.
 */
export function guardSessions(
  api: SupabaseApi,
  keys: Keys,
  readToken: ReadToken,
  now: () => number = Date.now,
): SupabaseApi {
  const key = new TextEncoder().encode(keys.jwtSecret);
  const checked = new Map<string, { until: number; goesOn: Promise<boolean> }>();

  /** Whether the session of a token goes on; the auth API looks that up. */
  function goesOn(url: string, token: string, inTime: string): Promise<boolean> {
    const digest = createHash("sha256").update(token).digest("base64");
    const known = checked.get(digest);
    if (known !== undefined && known.until > now()) return known.goesOn;
    if (checked.size >= mostRemembered) checked.clear();
    const headers = { authorization: `Bearer ${inTime}`, apikey: keys.publishableKey };
    const asked = api(new Request(new URL("/auth/v1/user", url), { headers })).then(({ status }) => {
      // Not known: the request itself will say what is wrong.
      if (status >= 500) checked.delete(digest);
      return status !== 401 && status !== 403 && status !== 404;
    });
    checked.set(digest, { until: now() + trustedMs, goesOn: asked });
    asked.catch(() => checked.delete(digest));
    return asked;
  }

  const guarded: SupabaseApi = async (request) => {
    const { pathname } = new URL(request.url);
    const isAuth = pathname.startsWith("/auth/v1/");
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const claims = token === undefined ? null : await readToken(token);
    if (token === undefined || claims === null || !isInTime(claims, now(), lateSeconds)) return api(request);
    const inTime = await asOfNow(token, claims, key, now());
    if (!isAuth && typeof claims["session_id"] === "string" && !(await goesOn(request.url, token, inTime)))
      return ended();
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${inTime}`);
    return api(inTime === token ? request : new Request(request, { headers }));
  };
  return async (request) => {
    const response = await guarded(request);
    if (endingPaths.has(new URL(request.url).pathname)) checked.clear();
    return response;
  };
}

/** The same token, or one with its claims whose times the API accepts now. */
async function asOfNow(token: string, claims: JWTPayload, key: Uint8Array, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  const { iat = seconds, exp = seconds } = claims;
  const isEarly = iat > seconds && iat <= seconds + earlySeconds;
  if (!isEarly && exp > seconds) return token;
  const times = { iat: Math.min(iat, seconds), exp: Math.max(exp, seconds + lateSeconds) };
  return new SignJWT({ ...claims, ...times }).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key);
}

function ended(): Response {
  const message = "The session has ended.";
  return Response.json({ code: "PGRST303", message, details: null, hint: "Sign in again." }, { status: 401 });
}
