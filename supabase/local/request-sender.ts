import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import type { InstanceKeys } from "./keys.ts";

/** Who has sent a request, as far as its headers prove it: a user, our own functions, or nobody known. */
export type Sender = { kind: "user"; id: string } | { kind: "service" } | { kind: "unknown" };

/** Reads the headers of a request; its body is received only afterwards, and of strangers only little of it. */
export type IdentifySender = (headers: Headers) => Promise<Sender>;

const unknown: Sender = { kind: "unknown" };

/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 5;
const rememberedMs = 60_000;
const mostRemembered = 2_000;

/**
 * Knows the instance's own keys and the tokens that it signs. What a token may do, and whether its session goes on, is decided
 * where it is used; so a signature that was found right is not looked at again for a minute, as long as the token lasts.
 */
export function createIdentifySender(keys: InstanceKeys, now: () => number = Date.now): IdentifySender {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  /** By digest, so that memory holds no token that could be used. */
  const known = new Map<string, { sender: Sender; until: number }>();
  return async (headers) => {
    if (headers.get("apikey") === keys.secretKey) return { kind: "service" };
    const token = /^Bearer (\S{1,8192})$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (token === undefined) return unknown;
    const digest = createHash("sha256").update(token).digest("base64");
    const remembered = known.get(digest);
    if (remembered !== undefined && remembered.until > now()) return remembered.sender;
    known.delete(digest);
    try {
      const currentDate = new Date(now());
      const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"], clockTolerance, currentDate });
      if (payload.sub === undefined) return unknown;
      const sender: Sender = { kind: "user", id: payload.sub };
      if (known.size >= mostRemembered) known.clear();
      const ends = ((payload.exp ?? Number.POSITIVE_INFINITY) + clockTolerance) * 1_000;
      known.set(digest, { sender, until: Math.min(now() + rememberedMs, ends) });
      return sender;
    } catch {
      return unknown;
    }
  };
}
