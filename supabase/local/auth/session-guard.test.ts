import { decodeJwt, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { callFunction } from "../../functions/_shared/testing/call-function.ts";
import { signUp } from "../testing/clients.ts";
import { sharedTestStack, type SharedStack } from "../testing/shared-stack.ts";

let stack: SharedStack;

beforeAll(async () => {
  stack = await sharedTestStack();
});

const readAs = (token: string) =>
  fetch(`${stack.url}/rest/v1/studio_workflows`, {
    headers: { apikey: stack.key, authorization: `Bearer ${token}` },
  }).then(({ status }) => status);
const callAs = async (token: string) => (await callFunction(stack, "credentials", token, {})).status;

const withTimes = (token: string, times: { iat: number; exp: number }) =>
  new SignJWT({ ...decodeJwt(token), ...times })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(stack.jwtSecret));
const now = () => Math.floor(Date.now() / 1000);

describe("S65 the token of a session that was signed out", () => {
  test("S65 is refused at the tables at once, and by the functions within seconds", async () => {
    const user = await signUp(stack);
    expect([await readAs(user.accessToken), await callAs(user.accessToken)]).toEqual([200, 400]);
    await user.client.auth.signOut();
    expect(await readAs(user.accessToken)).toBe(401);
    await expect.poll(() => callAs(user.accessToken), { interval: 500 }).toBe(401);
  });

  test("S65 is refused although the session ended elsewhere", async () => {
    const user = await signUp(stack);
    expect(await readAs(user.accessToken)).toBe(200);
    await stack.sql("delete from auth.sessions where user_id = $1", [user.userId]);
    await expect.poll(() => readAs(user.accessToken), { interval: 500 }).toBe(401);
  });

  test("another session of the same user goes on", async () => {
    const user = await signUp(stack);
    const { data } = await user.client.auth.refreshSession();
    expect(await readAs(data.session?.access_token ?? "")).toBe(200);
  });
});

describe("clocks that differ", () => {
  test("a clock that was set back an hour signs nobody out", async () => {
    const user = await signUp(stack);
    const token = await withTimes(user.accessToken, { iat: now() + 3_600, exp: now() + 7_200 });
    expect([await readAs(token), await callAs(token)]).toEqual([200, 400]);
  });

  test("S11 a token of another day, and one that has expired, are refused", async () => {
    const user = await signUp(stack);
    expect(await readAs(await withTimes(user.accessToken, { iat: now() + 86_400, exp: now() + 90_000 }))).toBe(401);
    expect(await readAs(await withTimes(user.accessToken, { iat: now() - 3_600, exp: now() - 60 }))).toBe(401);
  });
});
