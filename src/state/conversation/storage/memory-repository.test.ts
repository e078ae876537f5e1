import type { MemoryPlace } from "../../../engine/memory/memory.ts";
import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveTestCredential } from "../../../../supabase/functions/_shared/testing/call-function.ts";
import { startRedisServer, type RedisServer } from "../../../../supabase/functions/_shared/testing/redis-server.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { newDocument } from "../../../engine/document/new-document.ts";
import { assistantMessage, type Message, messageText, userMessage } from "../../../engine/model/message.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createFunctionClient } from "../../shared/storage/function-client.ts";
import { createMemoryRepository } from "./memory-repository.ts";
import { createMessageStore } from "./message-store.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createTabMemory } from "./tab-memory.ts";
import { createWorkflowRepository } from "../../document/storage/workflow-repository.ts";

let stack: SharedStack;
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
    memory: createMemoryRepository({ client, tab, callFunction }),
    messages: createMessageStore(client.database),
    async startRun(workflowId: string) {
      const { error } = await client.database.from("studio_runs").insert({ workflow_id: workflowId });
      if (error) throw error;
    },
    newWorkflow: async () => (await workflows.create(newDocument(randomUUID(), "Test"))).id,
  };
}

beforeAll(async () => {
  [stack, redis] = await Promise.all([sharedTestStack(), startRedisServer()]);
  [alice, bob] = await Promise.all([newUser(), newUser()]);
});

afterAll(() => redis.stop());

/** Writes copies of a conversation beside it, straight to Redis. */
async function copyConversation({ workflowId, sessionId }: { workflowId: string; sessionId: string }, count: number) {
  const client = createClient({ socket: { host: "127.0.0.1", port: redis.port } });
  await client.connect();
  const from = (await client.keys("*")).find((key) => key.endsWith(`:${workflowId}:${sessionId}`)) ?? "";
  const owner = from.slice(0, from.indexOf(workflowId));
  const copies = Array.from({ length: count }, (_, at) => `${workflowId}:copy%20${at + 1}`);
  await Promise.all([
    ...copies.map((copy) => client.copy(from, `${owner}${copy}`)),
    client.zAdd(
      `${owner}sessions`,
      copies.map((value, score) => ({ value, score })),
    ),
  ]);
  client.destroy();
}

const turn: Message[] = [
  userMessage("2 + 2?"),
  { role: "assistant", parts: [{ type: "tool-call", callId: "1", toolName: "calculator", arguments: "{}" }] },
  { role: "tool", callId: "1", toolName: "calculator", ok: true, text: "4" },
  assistantMessage("4"),
];

const said = turn.map((message) => ({ message }));

describe.each(["postgres", "tab", "redis"] as const)("conversations in %s", (storage) => {
  it("are listed with count, size and last use, their workflow's and the shared ones", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places[storage];
    const workflowId = await newWorkflow();
    const other = await newWorkflow();
    await memory.append({ place, workflowId, sessionId: "one" }, said);
    await memory.append({ place, workflowId: other, sessionId: "elsewhere" }, said);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await memory.append({ place, workflowId: null, sessionId: `shared ${storage}` }, said.slice(0, 1));
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
    await memory.append(session, said);
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

  it("are called by the first file of a question without words", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places[storage];
    const workflowId = await newWorkflow();
    const key = { workflowId, sessionId: "wordless" };
    const file = { $file: crypto.randomUUID(), mediaType: "text/plain", size: 1, sha256: "0".repeat(64) };
    const files = [
      { ...file, name: "first.txt" },
      { ...file, name: "second.txt" },
    ];
    await memory.append({ place, ...key }, [{ message: { role: "user", parts: [], files } }]);
    expect(await memory.titles(place, [key])).toEqual(["first.txt"]);
    await memory.clear({ place, ...key });
  });

  it("are called by their first question, and follow it when it is edited or deleted", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places[storage];
    const workflowId = await newWorkflow();
    const keys = ["named", "silent", "nowhere"].map((sessionId) => ({ workflowId, sessionId }));
    const session = { place, workflowId, sessionId: "named" };
    await memory.append(session, [
      { message: assistantMessage("Welcome") },
      { message: userMessage("  What is\n  the capital? ") },
      { message: userMessage("And its river?") },
    ]);
    await memory.append({ place, workflowId, sessionId: "silent" }, [{ message: assistantMessage("Hello") }]);
    expect(await memory.titles(place, keys)).toEqual(["What is the capital?", null, null]);
    expect(await memory.titles(place, [])).toEqual([]);
    const [, question] = await memory.entries(session);
    if (!question) throw new Error("no message");
    await memory.replace(session, question, userMessage("x".repeat(300)));
    expect(await memory.titles(place, keys)).toEqual(["x".repeat(200), null, null]);
    const [, edited] = await memory.entries(session);
    if (!edited) throw new Error("no message");
    await memory.replace(session, edited, null);
    expect(await memory.titles(place, keys)).toEqual(["And its river?", null, null]);
    await memory.clear(session);
    expect(await memory.titles(place, keys)).toEqual([null, null, null]);
    const shared = { workflowId: null, sessionId: `shared title ${storage}` };
    await memory.append({ place, ...shared }, said.slice(0, 1));
    expect(await memory.titles(place, [shared, ...keys])).toEqual(["2 + 2?", null, null, null]);
    expect(await bob.memory.titles(bob.places[storage], [shared])).toEqual([null]);
    await memory.clear({ place, ...shared });
  });

  it("are found by their session and by their first question", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places[storage];
    const workflowId = await newWorkflow();
    for (const [sessionId, text] of [
      ["rivers", "What flows through Oslo?"],
      ["rivers:scratchpad", "Bergen"],
      ["towns", "Is BERGEN on the coast?"],
    ] as const) {
      await memory.append({ place, workflowId, sessionId }, [{ message: userMessage(text) }]);
    }
    const find = async (search: string) => {
      const { rows } = await memory.conversations(place, workflowId, { limit: 10, search, ownOnly: true });
      return rows.map(({ sessionId }) => sessionId);
    };
    expect(await find("oslo")).toEqual(["rivers"]);
    expect(await find("RIVERS flows")).toEqual(["rivers"]);
    // A note is no question.
    expect(await find("bergen")).toEqual(["towns"]);
    expect(await find("coast rivers")).toEqual([]);
  });

  it("say when each message was written, and keep times that are given", async () => {
    const { memory, places, newWorkflow } = alice;
    const session = { place: places[storage], workflowId: await newWorkflow(), sessionId: "timed" };
    const at = "2024-03-01T10:20:30.000Z";
    const before = Date.now();
    await memory.append(session, [{ message: userMessage("Then"), at }, { message: assistantMessage("Now") }]);
    const times = (await memory.entries(session)).map((entry) => Date.parse(entry.at ?? ""));
    expect(times[0]).toBe(Date.parse(at));
    // The clocks of two processes; a minute apart would be another day's message.
    expect(Math.abs((times[1] ?? 0) - before)).toBeLessThan(60_000);
    const [first] = await memory.entries(session);
    if (!first) throw new Error("no message");
    await memory.replace(session, first, userMessage("Edited"));
    expect((await memory.entries(session)).map((entry) => Date.parse(entry.at ?? ""))[0]).toBe(Date.parse(at));
  });

  it("S39 S40 are nobody else's", async () => {
    const session = { place: alice.places[storage], workflowId: await alice.newWorkflow(), sessionId: "mine" };
    await alice.memory.append(session, said);
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

describe("names of conversations in the database", () => {
  it("stay when a window lets the first question go", async () => {
    const { memory, places, newWorkflow, messages } = alice;
    const key = { workflowId: await newWorkflow(), sessionId: "window" };
    for (const text of ["First", "Second", "Third"]) {
      await messages.append(key, [userMessage(text), assistantMessage(`Re: ${text}`)]);
      await messages.prune(key, 2);
    }
    expect(
      (await memory.entries({ place: places.postgres, ...key })).map(({ message }) => messageText(message)),
    ).toEqual(["Third", "Re: Third"]);
    expect(await memory.titles(places.postgres, [key])).toEqual(["First"]);
  });
});

describe("retention of conversations", () => {
  /** As the owner of the database: the clock of the server is put back for one conversation. */
  const age = (sessionId: string, days: number) =>
    stack.sql(
      "update public.studio_memory_conversations set last_written_at = now() - make_interval(days => $2) where session_id = $1",
      [sessionId, days],
    );

  it("deletes nothing unless days were chosen", async () => {
    const user = await newUser();
    const session = { place: user.places.postgres, workflowId: await user.newWorkflow(), sessionId: "kept for ever" };
    await user.memory.append(session, said);
    await age("kept for ever", 3_000);
    expect(await user.memory.retention()).toEqual({ keepDays: null });
    await user.startRun(session.workflowId);
    expect(await user.memory.entries(session)).toHaveLength(4);
  });

  it("deletes what was last written before, at once and with the next run, and nobody else's", async () => {
    const user = await newUser();
    const workflowId = await user.newWorkflow();
    const at = (sessionId: string) => ({ place: user.places.postgres, workflowId, sessionId });
    for (const name of ["old one", "fresh", "active", "active:summary", "gone", "gone:scratchpad"]) {
      await user.memory.append(at(name), said);
    }
    // An import brings old times along and is fresh all the same.
    await user.memory.append(at("imported"), [{ message: userMessage("Long ago"), at: "2020-01-01T00:00:00.000Z" }]);
    const others = { place: bob.places.postgres, workflowId: await bob.newWorkflow(), sessionId: "old one" };
    await bob.memory.append(others, said);
    for (const name of ["old one", "active:summary", "gone", "gone:scratchpad"]) await age(name, 31);
    await user.memory.setRetention({ keepDays: 30 });
    expect(await user.memory.retention()).toEqual({ keepDays: 30 });
    const left = async () => {
      const { rows } = await user.memory.conversations(user.places.postgres, workflowId, { limit: 10 });
      return rows.map(({ sessionId, summarised }) => (summarised ? `${sessionId} with summary` : sessionId)).toSorted();
    };
    expect(await left()).toEqual(["active with summary", "fresh", "imported"]);
    await age("fresh", 31);
    await user.startRun(workflowId);
    expect(await left()).toEqual(["active with summary", "imported"]);
    expect(await bob.memory.entries(others)).toHaveLength(4);
    for (const keepDays of [0, 4_000]) {
      await expect(user.memory.setRetention({ keepDays })).rejects.toMatchObject({ kind: "invalid" });
    }
  });
});

describe("retention of many conversations", () => {
  it("deletes all of them where days are chosen, and no more than 200 when a run starts", async () => {
    const user = await newUser();
    const workflowId = await user.newWorkflow();
    const age = async () => {
      await stack.sql(
        `insert into public.studio_agent_memory (owner, workflow_id, session_id, role, content, message)
         select owner, id, 'many ' || n, 'user', 'Hi', jsonb_build_object('role', 'user', 'parts', '[]'::jsonb)
         from public.studio_workflows cross join generate_series(1, 250) as n where id = $1`,
        [workflowId],
      );
      await stack.sql(
        "update public.studio_memory_conversations set last_written_at = now() - interval '31 days' where workflow_id = $1",
        [workflowId],
      );
    };
    const total = async () => (await user.memory.conversations(user.places.postgres, workflowId, { limit: 1 })).total;
    await age();
    await user.memory.setRetention({ keepDays: 30 });
    expect(await total()).toBe(0);
    await age();
    await user.startRun(workflowId);
    expect(await total()).toBe(50);
    await user.startRun(workflowId);
    expect(await total()).toBe(0);
  });
});

describe("memory repository", () => {
  it("gives the chat the database's conversation", async () => {
    const workflowId = await alice.newWorkflow();
    await alice.memory.append({ place: alice.places.postgres, workflowId, sessionId: "chat" }, said);
    expect(await alice.memory.messages(workflowId, "chat")).toEqual(turn);
  });

  it("S42 forgets the tab's conversations when the account changes", async () => {
    const user = await newUser();
    const session = { place: user.places.tab, workflowId: null, sessionId: "s" };
    await user.memory.append(session, said);
    await user.auth.signOut();
    expect(await user.memory.entries(session)).toEqual([]);
  });

  it("lists and finds each of 1,100 conversations in Redis", async () => {
    const { memory, places, newWorkflow } = alice;
    const place = places.redis;
    const workflowId = await newWorkflow();
    await memory.append({ place, workflowId, sessionId: "first" }, said);
    await copyConversation({ workflowId, sessionId: "first" }, 1_099);
    const page = await memory.conversations(place, workflowId, { limit: 1_000 });
    expect(page).toMatchObject({ total: 1_100, next: 1_000 });
    const rest = await memory.conversations(place, workflowId, { limit: 1_000, after: page.next });
    const names = [...page.rows, ...rest.rows].map(({ sessionId }) => sessionId);
    expect([names.length, new Set(names).size]).toEqual([1_100, 1_100]);
    const found = await memory.conversations(place, workflowId, { limit: 10, search: "copy 1099" });
    expect(found.rows.map(({ sessionId }) => sessionId)).toEqual(["copy 1099"]);
  });

  it("says why Redis cannot be asked", async () => {
    const place: MemoryPlace = { storage: "redis", credential: randomUUID(), keyPrefix: "", ttlSeconds: 0 };
    await expect(alice.memory.conversations(place, "w", { limit: 10 })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("credential"),
    });
  });
});
