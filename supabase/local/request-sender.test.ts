import { SignJWT } from "jose";
import { expect, test } from "vitest";
import type { InstanceKeys } from "./keys.ts";
import { createIdentifySender } from "./request-sender.ts";

const keys = { jwtSecret: "test-key-jwt-0123456789-0123456789", secretKey: "test-key-service" } as InstanceKeys;
const start = Date.UTC(2026, 0, 1);

function tokenOf(secret: string, seconds: number): Promise<string> {
  return new SignJWT({ sub: "user-1" })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(start / 1_000 + seconds)
    .sign(new TextEncoder().encode(secret));
}

test("a token is its user's as long as it lasts, however often it comes; no other is anybody's", async () => {
  let now = start;
  const identify = createIdentifySender(keys, () => now);
  const ask = (token: string) => identify(new Headers({ authorization: `Bearer ${token}` }));
  const [own, forged] = await Promise.all([tokenOf(keys.jwtSecret, 20), tokenOf("another-secret-0123456789", 20)]);
  for (let time = 0; time < 3; time += 1) {
    expect(await ask(own)).toEqual({ kind: "user", id: "user-1" });
    expect(await ask(forged)).toEqual({ kind: "unknown" });
    expect(await ask(`${own.slice(0, -4)}AAAA`)).toEqual({ kind: "unknown" });
  }
  now += 19_000;
  expect(await ask(own)).toEqual({ kind: "user", id: "user-1" });
  now += 10_000;
  expect(await ask(own)).toEqual({ kind: "unknown" });
  expect(await identify(new Headers({ apikey: keys.secretKey }))).toEqual({ kind: "service" });
});
