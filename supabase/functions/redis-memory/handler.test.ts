import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { startRedisServer, type RedisServer } from "../_shared/testing/redis-server.ts";

const password = "test-key-redis-0123456789abcdef";

let stack: SharedStack;
let redis: RedisServer;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  [stack, redis] = await Promise.all([sharedTestStack(), startRedisServer({ password })]);
  alice = await signUp(stack);
  bob = await signUp(stack);
});

afterAll(() => redis.stop());

const save = (user: SignedIn, fields: Record<string, unknown> = {}) =>
  saveTestCredential(stack, user.accessToken, {
    type: "redis",
    fields: { host: "127.0.0.1", port: redis.port, password, tls: false, database: 0, ...fields },
  });

const call = (user: SignedIn, credential: string, request: Record<string, unknown>) =>
  callFunction(stack, "redis-memory", user.accessToken, { credential, workflowId: "w", sessionId: "s", ...request });

const messages = [
  { role: "user", parts: [{ type: "text", text: "Hello" }] },
  { role: "assistant", parts: [{ type: "text", text: "Hi" }] },
];

describe("redis-memory in Deno, with a stored credential", () => {
  test("remembers", async () => {
    const credential = await save(alice);
    expect((await call(alice, credential, { action: "append", messages })).json).toEqual({ length: 2 });
    expect((await call(alice, credential, { action: "load" })).json).toEqual({
      messages,
      times: expect.any(Array),
      expired: false,
    });
  });

  test("S39 S40 gives another user of the same Redis nothing, and takes no credential but their own", async () => {
    const hers = await save(alice);
    const his = await save(bob);
    await call(alice, hers, { action: "append", messages });
    expect((await call(bob, his, { action: "load" })).json).toEqual({
      messages: [],
      times: expect.any(Array),
      expired: false,
    });
    const stolen = await call(bob, hers, { action: "load" });
    expect(stolen.status).toBe(400);
    expect(stolen.json["error"]).toMatchObject({ code: "invalid_credentials" });
  });

  test("S8 refuses a request that is nested too deeply, and goes on", async () => {
    const credential = await save(alice);
    const text = "[{".repeat(9);
    const fine = [
      { role: "user", parts: [{ type: "text", text }], deep: JSON.parse("[".repeat(400) + "]".repeat(400)) },
    ];
    expect((await call(alice, credential, { action: "append", sessionId: "deep", messages: fine })).status).toBe(200);
    const response = await fetch(`${stack.url}/functions/v1/redis-memory`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${alice.accessToken}` },
      body: `{"action":"append","messages":[{"role":"user","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("nested too deeply") } });
    expect((await call(alice, credential, { action: "load", sessionId: "deep" })).json["messages"]).toEqual(fine);
  });

  test("S43 says when the password is wrong, without showing it", async () => {
    const wrong = await save(alice, { password: "test-key-wrong-0123456789" });
    const answer = await call(alice, wrong, { action: "load" });
    expect(answer.json["error"]).toMatchObject({
      code: "invalid_credentials",
      message: expect.stringContaining("did not accept"),
    });
    expect(answer.text).not.toContain("test-key");
  });

  test("S1 refuses a private address", async () => {
    const answer = await call(alice, await save(alice, { host: "10.0.0.1" }), { action: "load" });
    expect(answer.json["error"]).toMatchObject({ code: "blocked_address" });
  });

  test("says when nothing answers", async () => {
    const gone = await startRedisServer();
    await gone.stop();
    const answer = await call(alice, await save(alice, { port: gone.port }), { action: "load" });
    expect(answer.json["error"]).toMatchObject({ code: "network", message: "Redis refused the connection." });
  });

  test("the credential's test button asks Redis itself, and says why it failed", async () => {
    const ask = async (id: string) =>
      (await callFunction(stack, "credentials", alice.accessToken, { action: "test", id })).json;
    expect(await ask(await save(alice))).toEqual({ ok: true, message: "Redis answered and accepted the credential." });
    expect(await ask(await save(alice, { password: "test-key-wrong-0123456789" }))).toMatchObject({
      ok: false,
      message: "Redis did not accept the user name or the password.",
    });
    expect(await ask(await save(alice, { host: "10.0.0.1" }))).toMatchObject({ ok: false });
  });

  test("answers 400 to a request that is not valid", async () => {
    expect((await call(alice, "x", { action: "flushall" })).status).toBe(400);
  });
});
