import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../../../src/engine/json.ts";
import { messageText } from "../../../src/engine/model/message.ts";
import { messageSchema } from "../../../src/engine/model/message-schema.ts";
import { type Chat, chatWithMemory } from "../../../src/nodes/memories/testing/chat-with-memory.ts";
import { redisMemory as redisNode } from "../../../src/nodes/memories/redis-memory.ts";
import { createNodeHost } from "../../../cli/headless/node-host.ts";
import { testHost, type TestHost } from "../../../src/engine/testing/test-host.ts";
import { startRedisServer, type RedisServer } from "../_shared/testing/redis-server.ts";

const password = "test-key-redis-0123456789abcdef";

let server: RedisServer;
let host: TestHost;

/** The headless host's own functions under a test host; its pauses pass at once and its time limits never. */
function hostWith(secret: string): TestHost {
  const credential = {
    type: "redis" as const,
    fields: { host: "127.0.0.1", port: server.port, password: secret, tls: false, database: 0 },
  };
  const real = createNodeHost({
    credentials: {
      get: (id) => (id === "c" ? { credential, allowedHosts: [`127.0.0.1:${server.port}`] } : undefined),
      secrets: [secret],
    },
    policy: { allowHosts: [] },
    approve: false,
    workflows: { load: () => Promise.reject(new Error("There is none.")) },
  });
  const made = testHost();
  made.callFunction = real.callFunction;
  made.sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      // Pauses before a retry pass at once; time limits are never reached.
      if (ms < 10_000) resolve();
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return made;
}

beforeEach(async () => {
  server = await startRedisServer({ password });
  host = hostWith(password);
});

afterEach(() => server.stop());

const chat = (message: string, { config = {}, ...rest }: Chat = {}) =>
  chatWithMemory(redisNode, message, { host, config: { credential: "c", ...config }, ...rest });

const stored = async (request: JsonObject = {}) => {
  const body = { action: "load", credential: "c", workflowId: "w1", sessionId: "w1:default", ...request };
  const answer = await host.callFunction("redis-memory", body, { signal: new AbortController().signal });
  if (!answer.ok || typeof answer.body !== "object" || answer.body === null || Array.isArray(answer.body)) return [];
  return z.array(messageSchema).parse(answer.body["messages"]).map(messageText);
};

describe("redis-memory on a real Redis", () => {
  test("remembers from run to run, and forgets with clearOnRun", async () => {
    await chat("One");
    const second = await chat("Two");
    expect(second.sent).toEqual(["One", "Re: One", "Two"]);
    expect(second.of("memory-load")[0]).toMatchObject({ session: "w1:default", messages: 2 });
    expect(await stored()).toEqual(["One", "Re: One", "Two", "Re: Two"]);
    expect((await chat("Three", { config: { clearOnRun: true } })).sent).toEqual(["Three"]);
  });

  test("gives the last messages in whole turns", async () => {
    for (const message of ["One", "Two", "Three"]) await chat(message);
    expect((await chat("Four", { config: { maxMessages: 3 } })).sent).toEqual(["Three", "Re: Three", "Four"]);
  });

  test("keeps the scratchpad with the session", async () => {
    const script = [{ calls: [{ name: "remember", arguments: { key: "name", value: "Ann" } }] }, { text: "Noted." }];
    await chat("I am Ann.", { script, agent: { scratchpad: true } });
    expect(await stored({ sessionId: "w1:default:scratchpad" })).toEqual(['{"name":"Ann"}']);
  });

  test("S39 keeps sessions, workflows and the shared scope apart", async () => {
    await chat("One", { input: { sessionId: "s" } });
    expect((await chat("Two", { input: { sessionId: "t" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { workflow: "w2", input: { sessionId: "s" } })).sent).toEqual(["Two"]);
    const shared = { config: { scope: "all" }, input: { sessionId: "s" } };
    await chat("Three", shared);
    expect((await chat("Four", { ...shared, workflow: "w2" })).sent).toEqual(["Three", "Re: Three", "Four"]);
  });

  test("S60 keeps pairs whole under runs at once", async () => {
    await Promise.all(["A", "B", "C", "D", "E"].map((message) => chat(message)));
    const kept = await stored();
    expect(kept).toHaveLength(10);
    for (let index = 0; index < kept.length; index += 2) expect(kept[index + 1]).toBe(`Re: ${kept[index]}`);
  });

  test("says that a conversation has expired, and begins anew", async () => {
    await chat("One", { config: { ttlSeconds: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    const { of, sent } = await chat("Two", { config: { ttlSeconds: 1 } });
    expect(sent).toEqual(["Two"]);
    expect(of("warning")).toMatchObject([{ nodeId: "memory", message: expect.stringContaining("has expired") }]);
  });
});

describe("a failing Redis never stops a run", () => {
  test("killed while the model answers: the answer comes, the loss is said on the memory node", async () => {
    await chat("One");
    let killed: Promise<void> | undefined;
    const script = () => {
      killed = server.stop();
      return { text: "Still here." };
    };
    const { end, of, sent } = await chat("Two", { script });
    await killed;
    expect(sent).toEqual(["One", "Re: One", "Two"]);
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Still here." } });
    const [failed] = of("memory-error");
    expect(failed).toMatchObject({ operation: "save", memoryNodeId: "memory", error: { code: "memory_error" } });
    expect(failed?.error.message).toMatch(/^Redis refused the connection|^The connection to Redis broke/);
  });

  test("down from the start: both reading and writing say so", async () => {
    await server.stop();
    const { end, of } = await chat("One");
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
    expect(of("memory-error").map(({ operation, error }) => [operation, error.message])).toEqual([
      ["load", "Redis refused the connection."],
      ["save", "Redis refused the connection."],
    ]);
  });

  test("S43 a wrong password is named and never shown", async () => {
    host = hostWith("test-key-wrong-0123456789");
    const { end, of, events } = await chat("One");
    expect(end.outcome).toBe("completed");
    expect(of("memory-error")[0]?.error).toMatchObject({
      message: "Redis did not accept the user name or the password.",
      hint: expect.stringContaining("credential"),
    });
    expect(JSON.stringify(events)).not.toContain("test-key");
  });

  test("a credential that is gone", async () => {
    const { end, of } = await chat("One", { config: { credential: "other" } });
    expect(end.outcome).toBe("completed");
    expect(of("memory-error")[0]?.error.message).toContain("other");
  });
});
