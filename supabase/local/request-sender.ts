import { jwtVerify } from "jose";
import type { InstanceKeys } from "./keys.ts";

/** Who has sent a request, as far as its headers prove it: a user, our own functions, or nobody known. */
export type Sender = { kind: "user"; id: string } | { kind: "service" } | { kind: "unknown" };

/** Reads the headers of a request; its body is received only afterwards, and of strangers only little of it. */
export type IdentifySender = (headers: Headers) => Promise<Sender>;

const unknown: Sender = { kind: "unknown" };

/** Knows the instance's own keys and the tokens that it signs. What a token may do is decided where it is used. */
export function createIdentifySender(keys: InstanceKeys): IdentifySender {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  return async (headers) => {
    if (headers.get("apikey") === keys.secretKey) return { kind: "service" };
    const token = /^Bearer (\S{1,8192})$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (token === undefined) return unknown;
    try {
      const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"], clockTolerance: 5 });
      return payload.sub === undefined ? unknown : { kind: "user", id: payload.sub };
    } catch {
      return unknown;
    }
  };
}
