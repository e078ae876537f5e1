import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction } from "./testing/call-function.ts";

const functionNames = readdirSync(fileURLToPath(new URL("..", import.meta.url)), { withFileTypes: true })
  // Doors are for those who have no account of the studio; their tests are beside them.
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_") && entry.name !== "doors")
  .map((entry) => entry.name);

let stack: SharedStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  user = await signUp(stack);
});

const sign = (secret: string, claims: Record<string, unknown>): Promise<string> =>
  new SignJWT({ sub: user.userId, role: "authenticated", aud: "authenticated", ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));

const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

test("there are functions to test", () => {
  expect(functionNames).toEqual(expect.arrayContaining(["credentials", "execute-http", "llm-proxy", "mcp-proxy"]));
});

describe.each(functionNames)("%s", (name) => {
  const refused: [string, () => Promise<string | null> | string | null][] = [
    ["no token", () => null],
    ["the publishable key", () => stack.key],
    ["the secret key", () => stack.serviceKey],
    ["a token that is none", () => "x.y.z"],
    ["a token of another project", () => sign("a secret of some other project, 32 b", { exp: inAnHour() })],
    ["an expired token", () => sign(stack.jwtSecret, { exp: Math.floor(Date.now() / 1000) - 60 })],
    ["a token of the anonymous role", () => sign(stack.jwtSecret, { exp: inAnHour(), role: "anon" })],
    ["a token of the service role", () => sign(stack.jwtSecret, { exp: inAnHour(), role: "service_role" })],
    [
      "a token of a user who does not exist",
      () => sign(stack.jwtSecret, { exp: inAnHour(), sub: crypto.randomUUID() }),
    ],
  ];

  test.each(refused)("S11 answers 401 to %s", async (_case, token) => {
    const answer = await callFunction(stack, name, await token(), {});
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-switchyard-error")).toBe("1");
    expect(answer.json["error"]).toMatchObject({ code: "invalid_credentials", retryable: false });
  });

  test("S11 lets a signed-in user in", async () => {
    const answer = await callFunction(stack, name, user.accessToken, {});
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-switchyard-error")).toBe("1");
  });

  test("S10 answers 429 with Retry-After over the limit, to that user alone", async () => {
    const busy = await signUp(stack);
    await stack.sql(
      "insert into private.studio_slots (owner, bucket, expires_at) select $1, $2, now() + interval '1 minute' from generate_series(1, 500)",
      [busy.userId, name],
    );
    const answer = await callFunction(stack, name, busy.accessToken, {});
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.json["error"]).toMatchObject({ code: "rate_limit", retryable: true });
    expect((await callFunction(stack, name, user.accessToken, {})).status).toBe(400);
  });

  test("S10 gives a place back after each call", async () => {
    await callFunction(stack, name, user.accessToken, {});
    await expect
      .poll(() => stack.sql("select 1 from private.studio_slots where owner = $1 and bucket = $2", [user.userId, name]))
      .toEqual([]);
  });

  test("answers a page of another origin without the headers that would let it read", async () => {
    const response = await fetch(`${stack.url}/functions/v1/${name}`, { method: "OPTIONS" });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a method that it does not know is 405", async () => {
    const authorization = `Bearer ${user.accessToken}`;
    const response = await fetch(`${stack.url}/functions/v1/${name}`, { method: "PUT", headers: { authorization } });
    expect(response.status).toBe(405);
  });
});

test("S10 the rate of calls is limited and counted per user", async () => {
  const eager = await signUp(stack);
  const statuses: number[] = [];
  let retryAfter: string | null = null;
  while (statuses.length < 70 && retryAfter === null) {
    const answer = await callFunction(stack, "credentials", eager.accessToken, {});
    statuses.push(answer.status);
    retryAfter = answer.headers.get("retry-after");
  }
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBe(61);
  expect(Number(retryAfter)).toBeGreaterThan(0);
});
