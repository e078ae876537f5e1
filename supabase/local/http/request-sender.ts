import type { InstanceKeys } from "../database/keys.ts";
import { isInTime, type ReadToken } from "../auth/token-reader.ts";

/** Who has sent a request, as far as its headers prove it: a user, our own functions, or nobody known. */
export type Sender = { kind: "user"; id: string } | { kind: "service" } | { kind: "unknown" };

/** Reads the headers of a request; its body is received only afterwards, and of strangers only little of it. */
export type IdentifySender = (headers: Headers) => Promise<Sender>;

const unknown: Sender = { kind: "unknown" };

/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 5;

/** Knows the instance's own keys and the tokens that it signs. What a token may do is decided where it is used. */
export function createIdentifySender(
  { secretKey }: Pick<InstanceKeys, "secretKey">,
  readToken: ReadToken,
): IdentifySender {
  return async (headers) => {
    if (headers.get("apikey") === secretKey) return { kind: "service" };
    const token = /^Bearer (\S{1,8192})$/i.exec(headers.get("authorization") ?? "")?.[1];
    const claims = token === undefined ? null : await readToken(token);
    if (claims?.sub === undefined || !isInTime(claims, Date.now(), clockTolerance)) return unknown;
    return { kind: "user", id: claims.sub };
  };
}
