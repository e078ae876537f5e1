import { createServer } from "node:net";
import { createClient } from "@redis/client";
import { describe, expect, test } from "vitest";
import { success } from "../_shared/failure.ts";
import { startLoopbackServer } from "../_shared/testing/loopback-server.ts";
import { startRedisServer } from "../_shared/testing/redis-server.ts";
import type { RedisMemoryDependencies } from "./redis-memory.ts";
import { password, say, withRedis } from "./testing/call-redis-memory.ts";

const prefix = "agent:memory:";

const { call, port } = withRedis();

const append = (sessionId: string, ...words: string[]) =>
  call({ action: "append", sessionId, messages: words.map(say), ttlSeconds: 100 });
const load = (sessionId: string) => call({ action: "load", sessionId });

const directClient = () => createClient({ socket: { host: "127.0.0.1", port: port() }, password });

/** Straight to Redis. */
async function raw<Value>(work: (redis: ReturnType<typeof directClient>) => Promise<Value>): Promise<Value> {
  const redis = directClient();
  await redis.connect();
  try {
    return await work(redis);
  } finally {
    redis.destroy();
  }
}

describe("conversations in a real Redis", () => {
  test("come back in order, all or the last", async () => {
    await append("order", "one", "two");
    await append("order", "three");
    expect((await load("order")).value).toEqual({
      messages: ["one", "two", "three"].map(say),
      times: expect.any(Array),
      expired: false,
    });
    const last = await call({ action: "load", sessionId: "order", limit: 2 });
    expect(last.value).toMatchObject({ messages: ["two", "three"].map(say) });
  });

  test("lie in a list under prefix, owner, workflow and session", async () => {
    await append("a key", "one");
    expect(await raw((redis) => redis.lLen(`${prefix}{alice}:w:a%20key`))).toBe(1);
  });

  test("S60 keep turns whole under fifty writers at once", async () => {
    const turns = Array.from({ length: 50 }, (_, number) => [`question ${number}`, `answer ${number}`]);
    await Promise.all(turns.map((turn) => append("busy", ...turn)));
    const { messages } = (await load("busy")).value as { messages: ReturnType<typeof say>[] };
    const words = messages.map((message) => message.parts[0]?.text ?? "");
    expect(words).toHaveLength(100);
    for (let index = 0; index < words.length; index += 2) {
      expect(words[index + 1]).toBe(words[index]?.replace("question", "answer"));
    }
  });

  test("refresh their time to live on every write, and lose it with 0", async () => {
    const key = `${prefix}{alice}:w:ttl`;
    await append("ttl", "one");
    await raw((redis) => redis.expire(key, 5));
    await append("ttl", "two");
    expect(await raw((redis) => redis.ttl(key))).toBeGreaterThan(50);
    await load("ttl");
    await call({ action: "append", sessionId: "ttl", messages: [say("three")], ttlSeconds: 0 });
    expect(await raw((redis) => redis.ttl(key))).toBe(-1);
  });

  test("say once when they have expired, and never when they were cleared or are new", async () => {
    await append("gone", "one");
    await raw((redis) => redis.del(`${prefix}{alice}:w:gone`));
    expect((await load("gone")).value).toEqual({ messages: [], times: [], expired: true });
    expect((await load("gone")).value).toEqual({ messages: [], times: expect.any(Array), expired: false });
    await append("cleared", "one");
    await call({ action: "clear", sessionId: "cleared" });
    expect((await load("cleared")).value).toEqual({ messages: [], times: expect.any(Array), expired: false });
    expect((await load("never seen")).value).toEqual({ messages: [], times: expect.any(Array), expired: false });
  });

  test("S39 of two owners, two workflows, the shared scope and odd names stay apart", async () => {
    const places = [
      [{ workflowId: "w" }, "alice"],
      [{ workflowId: "w2" }, "alice"],
      [{ workflowId: null }, "alice"],
      [{ workflowId: "w" }, "bob"],
      [{ workflowId: "w", sessionId: "w:same" }, "alice"],
      [{ workflowId: "w:w", sessionId: "same" }, "alice"],
    ] as const;
    for (const [index, [place, owner]] of places.entries()) {
      const request = { action: "append", sessionId: "same", ...place, messages: [say(`place ${index}`)] };
      expect((await call(request, {}, { owner })).error).toBeUndefined();
    }
    for (const [index, [place, owner]] of places.entries()) {
      const { value } = await call({ action: "load", sessionId: "same", ...place }, {}, { owner });
      expect(value["messages"]).toEqual([say(`place ${index}`)]);
    }
  });

  test("can be listed with count, size and last use", async () => {
    const at = (now: number) => ({ owner: "lister", now: () => now });
    const messages = [say("one"), say("two")];
    await call({ action: "append", sessionId: "old", messages, ttlSeconds: 60 }, {}, at(1_000));
    await call({ action: "append", sessionId: "new", workflowId: null, messages: [say("x")] }, {}, at(2_000));
    await call({ action: "append", sessionId: "elsewhere", workflowId: "other", messages }, {}, at(3_000));
    const { value } = await call({ action: "sessions" }, {}, at(4_000));
    expect(value["sessions"]).toEqual([
      {
        workflowId: null,
        sessionId: "new",
        messages: 1,
        lastUsedAt: 2_000,
        bytes: expect.any(Number),
        expiresInSeconds: null,
      },
      {
        workflowId: "w",
        sessionId: "old",
        messages: 2,
        lastUsedAt: 1_000,
        bytes: expect.any(Number),
        expiresInSeconds: expect.any(Number),
      },
    ]);
  });

  test("can be edited message by message, unless they changed meanwhile", async () => {
    await append("edit", "one", "two", "three");
    const replace = (index: number, expected: string, message: unknown) =>
      call({ action: "replace", sessionId: "edit", index, expected: say(expected), message });
    expect((await replace(1, "two", say("2"))).value).toEqual({ done: true });
    expect((await replace(1, "two", say("II"))).value).toEqual({ done: false });
    expect((await replace(0, "one", null)).value).toEqual({ done: true });
    expect((await load("edit")).value["messages"]).toEqual(["2", "three"].map(say));
  });

  test("live in the database that the credential names", async () => {
    const second = { database: 2 };
    await call({ action: "append", sessionId: "db", messages: [say("two")] }, second);
    expect((await load("db")).value["messages"]).toEqual([]);
    expect((await call({ action: "load", sessionId: "db" }, second)).value["messages"]).toEqual([say("two")]);
  });
});

describe("what goes wrong says so", () => {
  const probe = { action: "load" };

  test.each([
    ["a wrong password", { password: "test-key-wrong" }, "invalid_credentials", "did not accept"],
    ["no password", { password: undefined }, "invalid_credentials", "asks for a password"],
    ["an unknown user", { username: "nobody" }, "invalid_credentials", "did not accept"],
    ["a database that is not there", { database: 99 }, "invalid_config", "no database of that number"],
  ])("%s", async (_case, fields, code, words) => {
    const { error } = await call(probe, fields);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(JSON.stringify(error)).not.toContain("test-key");
  });

  test("a refused connection", async () => {
    const stopped = await startRedisServer();
    await stopped.stop();
    const { error } = await call(probe, { port: stopped.port, password: undefined });
    expect(error).toMatchObject({ code: "network", retryable: true, message: "Redis refused the connection." });
  });

  test("a server that hangs up, and one that speaks something else", async () => {
    const web = await startLoopbackServer((_request, response) => response.end("hello"));
    const { error } = await call(probe, { port: web.port, password: undefined });
    expect(error?.code).toMatch(/network|timeout/);
    await web.stop();
  });

  test("a key that holds something else", async () => {
    await raw((redis) => redis.set(`${prefix}{alice}:w:text`, "no list"));
    await raw((redis) => redis.rPush(`${prefix}{alice}:w:strange`, "no message"));
    expect((await load("text")).error).toMatchObject({ code: "invalid_config" });
    expect((await append("text", "one")).error).toMatchObject({ code: "invalid_config" });
    expect((await load("strange")).error).toMatchObject({ code: "invalid_config" });
  });

  test("memory that is full", async () => {
    const full = await startRedisServer({ directives: ["maxmemory 1kb", "maxmemory-policy noeviction"] });
    const fields = { port: full.port, password: undefined };
    const { error } = await call({ action: "append", messages: [say("one")] }, fields);
    expect(error).toMatchObject({ code: "network", message: expect.stringContaining("cannot take writes") });
    await full.stop();
  });

  test("a caller that goes away, and a server that does not answer", async () => {
    expect((await call(probe, {}, { signal: AbortSignal.abort() })).error?.code).toBe("cancelled");
    const silent = createServer();
    const connected = new Promise((resolve) => silent.once("connection", resolve));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", () => resolve()));
    const address = silent.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const controller = new AbortController();
    const waiting = call(probe, { port, database: 1 }, { signal: controller.signal });
    await connected;
    controller.abort();
    expect((await waiting).error?.code).toBe("cancelled");
    silent.close();
  });

  test.each([
    [{ action: "load", sessionId: "" }],
    [{ action: "append", messages: [] }],
    [{ action: "append", messages: ["text"] }],
    [{ action: "flushall" }],
    [{ action: "load", owner: "bob" }],
  ])("the request %j", async (request) => {
    expect((await call(request)).error?.code).toBe("invalid_config");
  });

  test("a credential of another type, and one that is not there", async () => {
    const findCredential: RedisMemoryDependencies["findCredential"] = async () =>
      success({ type: "http-bearer", allowedHosts: [], open: async () => Promise.reject(new Error("was opened")) });
    expect((await call(probe, {}, { findCredential })).error?.code).toBe("invalid_credentials");
  });
});
