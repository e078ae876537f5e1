import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveTestCredential } from "../../supabase/functions/_shared/testing/call-function.ts";
import { startRedisServer, type RedisServer } from "../../supabase/functions/_shared/testing/redis-server.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { newDocument } from "../engine/document/new-document.ts";
import { assistantMessage, type Message, userMessage } from "../engine/model/message.ts";
import type { MemoryPlace } from "../stores/services.ts";
import { createAuthService } from "./auth-service.ts";
import { createFunctionClient } from "./function-client.ts";
import { lazyMemoryRepository } from "./lazy-repositories.ts";
import { createSupabaseClient } from "./supabase-client.ts";
import { createTabMemory } from "./tab-memory.ts";
import { createWorkflowRepository } from "./workflow-repository.ts";

let stack: TestStack;
let redis: RedisServer;
let alice: Awaited<ReturnType<typeof newUser>>;
let bob: Awaited<ReturnType<typeof newUser>>;

async function newUser() {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  const auth = createAuthService(client, null);
  const tab = createTabMemory(auth);
  await auth.enterAsGuest();
  const callFunction = createFunctionClient({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: client.accessToken,
  });
  const fields = { host: "127.0.0.1", port: redis.port, tls: false, database: 0 };
  const token = (await client.accessToken()) ?? "";
  const credential = await saveTestCredential(stack, token, { type: "redis", fields });
  const workflows = createWorkflowRepository(client);
  const places: Record<MemoryPlace["storage"], MemoryPlace> = {
    postgres: { storage: "postgres" },
    tab: { storage: "tab" },
    redis: { storage: "redis", credential, keyPrefix: "agent:memory:", ttlSeconds: 0 },
  };
  return {
    auth,
    places,
    memory: lazyMemoryRepository({ client, tab, callFunction }),
    newWorkflow: async () => (await workflows.create(newDocument(randomUUID(), "Test"))).id,
  };
}

beforeAll(async () => {
  [stack, redis] = await Promise.all([startTestStack({ functions: true }), startRedisServer()]);
  [alice, bob] = await Promise.all([newUser(), newUser()]);
});

afterAll(() => Promise.all([stack.stop(), redis.stop()]));

const turn: Message[] = [
  userMessage("2 + 2?"),
  { role: "assistant", parts: [{ type: "tool-call", callId: "1", toolName: "calculator", arguments: "{}" }] },
  { role: "tool", callId: "1", toolName: "calculator", ok: true, text: "4" },
  assistantMessage("4"),
];

describe.each(["postgres", "tab", "redis"] as const)("conversations in %s", (storage) => {
  it("are listed with count, size and last use, their workflow's and the shared ones", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places[storage];
    const workflowId = await newWorkflow();
    const other = await newWorkflow();
    await memory.append({ place, workflowId, sessionId: "one" }, turn);
    await memory.append({ place, workflowId: other, sessionId: "elsewhere" }, turn);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await memory.append({ place, workflowId: null, sessionId: `shared ${storage}` }, turn.slice(0, 1));
    const { rows: sessions } = await memory.conversations(place, workflowId, { limit: 10 });
    expect(sessions.map(({ sessionId, messages, workflowId: of }) => [sessionId, messages, of])).toEqual([
      [`shared ${storage}`, 1, null],
      ["one", 4, workflowId],
    ]);
    for (const { bytes, lastUsedAt } of sessions) {
      expect(bytes).toBeGreaterThan(20);
      expect(Date.parse(lastUsedAt)).toBeGreaterThan(Date.parse("2020-01-01"));
    }
    await memory.clear({ place, workflowId: null, sessionId: `shared ${storage}` });
  });

  it("are read, edited, thinned out and cleared", async () => {
    const { memory, places, newWorkflow } = alice;
    const session = { place: places[storage], workflowId: await newWorkflow(), sessionId: "s" };
    await memory.append(session, turn);
    const [question, , result, answer] = await memory.entries(session);
    if (!question || !result || !answer) throw new Error("messages are missing");
    await memory.replace(session, answer, assistantMessage("It is 4."));
    await memory.replace(session, result, { ...(turn[2] as Extract<Message, { role: "tool" }>), text: "four" });
    await memory.replace(session, question, null);
    const left = await memory.entries(session);
    expect(left.map((entry) => entry.message)).toEqual([
      turn[1],
      { ...turn[2], text: "four" },
      assistantMessage("It is 4."),
    ]);
    await memory.clear(session);
    expect(await memory.entries(session)).toEqual([]);
    await expect(memory.replace(session, answer, null)).rejects.toMatchObject({ kind: "conflict" });
  });

  it("S39 S40 are nobody else's", async () => {
    const session = { place: alice.places[storage], workflowId: await alice.newWorkflow(), sessionId: "mine" };
    await alice.memory.append(session, turn);
    const seen = { ...session, place: bob.places[storage] };
    expect(await bob.memory.entries(seen)).toEqual([]);
    const none = await bob.memory.conversations(seen.place, session.workflowId, { limit: 10 });
    expect(none).toEqual({ rows: [], next: null, total: 0 });
    const [entry] = await alice.memory.entries(session);
    if (!entry) throw new Error("no message");
    await expect(bob.memory.replace(seen, entry, null)).rejects.toMatchObject({ kind: "conflict" });
    await bob.memory.clear(seen);
    expect(await alice.memory.entries(session)).toHaveLength(turn.length);
  });
});

describe("memory repository", () => {
  it("gives the chat the database's conversation", async () => {
    const workflowId = await alice.newWorkflow();
    await alice.memory.append({ place: alice.places.postgres, workflowId, sessionId: "chat" }, turn);
    expect(await alice.memory.messages(workflowId, "chat")).toEqual(turn);
  });

  it("S42 forgets the tab's conversations when the account changes", async () => {
    const user = await newUser();
    const session = { place: user.places.tab, workflowId: null, sessionId: "s" };
    await user.memory.append(session, turn);
    await user.auth.signOut();
    expect(await user.memory.entries(session)).toEqual([]);
  });

  it("says why Redis cannot be asked", async () => {
    const place: MemoryPlace = { storage: "redis", credential: randomUUID(), keyPrefix: "", ttlSeconds: 0 };
    await expect(alice.memory.conversations(place, "w", { limit: 10 })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("credential"),
    });
  });
});
