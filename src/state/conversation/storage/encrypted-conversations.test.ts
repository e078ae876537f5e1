import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { callFunction } from "../../../../supabase/functions/_shared/testing/call-function.ts";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack, type SharedStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { Host, SessionKey } from "../../../engine/host.ts";
import { assistantMessage, type Message, messageText, userMessage } from "../../../engine/model/message.ts";
import { memoryStore } from "../../../engine/in-memory/memory-store.ts";
import type { BrowserTable } from "../../../services/services.ts";
import { createFunctionClient } from "../../shared/storage/function-client.ts";
import { openConnections } from "../../../host/host-connections.ts";
import { createFileService } from "../../file/storage/file-service.ts";
import { createMemoryRepository } from "./memory-repository.ts";
import { createMessageStores } from "./message-store.ts";
import type { FunctionAccess } from "../../shared/storage/model-fetch.ts";
import { sendTurn } from "./send-turn.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";
import { createUnsavedTurns, type WaitingTurn } from "./unsaved-turns.ts";

let stack: SharedStack;
let alice: Account;
let bob: Account;

type Account = Awaited<ReturnType<typeof newAccount>>;

async function newAccount() {
  const user: SignedIn = await signUp(stack);
  const access = {
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: () => Promise.resolve(user.accessToken),
  };
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, {
    persistSession: false,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${user.accessToken}`);
      return fetch(input, { ...init, headers });
    },
  });
  const functions = createFunctionClient(access);
  const memoryWith = (call: Host["callFunction"]) =>
    createMemoryRepository({ client, tab: memoryStore(), callFunction: call });
  return {
    ...user,
    access,
    files: createFileService(access),
    ...createMessageStores(user.client, functions),
    memory: memoryWith(functions),
    memoryWith,
    storesWith: (call: Host["callFunction"]) => createMessageStores(user.client, call),
    async newSession(sessionId = "s"): Promise<SessionKey> {
      const row = { name: "Test", document: { nodes: {} } };
      const { data, error } = await user.client.from("studio_workflows").insert(row).select("id").single();
      if (error) throw error;
      return { workflowId: String(data.id), sessionId };
    },
  };
}

beforeAll(async () => {
  stack = await sharedTestStack();
  [alice, bob] = await Promise.all([newAccount(), newAccount()]);
});

const place = { storage: "postgres" } as const;
const at = ({ workflowId, sessionId }: SessionKey) => ({ place, workflowId, sessionId });
const turn = (word: string): Message[] => [userMessage(`What is ${word}?`), assistantMessage(`${word} is a word.`)];

const functionDown: Host["callFunction"] = async () => ({
  ok: false,
  status: 503,
  error: { code: "internal", message: "The function is down.", hint: "Try again.", retryable: true },
});

/** Tables of the database in which a text stands. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await stack.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await stack.sql(`select 1 from ${name} as one where strpos(one::text, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

interface Row {
  id: number;
  content: string;
  message: { id: string; key: number; sealed: string; title?: object };
}

const rowsOf = ({ workflowId, sessionId }: SessionKey) =>
  stack.sql<Row>(
    `select id, content, message from public.studio_agent_memory
     where workflow_id = $1 and session_id = $2 order by id`,
    [workflowId, sessionId],
  );

describe("encrypted conversations", () => {
  it("keeps the files of a message as long as the message, and says of them their ids alone", async () => {
    const { files, newSession, encryptedMessages } = alice;
    const bytes = new TextEncoder().encode("Kept with the message");
    const file = await files.add({ name: "kestrel.txt", mediaType: "text/plain", bytes }, new AbortController().signal);
    const key = await newSession();
    const drawn = await files.add({ name: "merlin.png", mediaType: "image/png", bytes }, new AbortController().signal);
    const question = { ...userMessage("What is in it?"), files: [file] };
    const answer: Message = { role: "assistant", parts: [{ type: "made-file", file: drawn }] };
    await encryptedMessages.append(key, [question, answer]);
    const rows = await stack.sql<{ message: unknown }>(
      "select message from public.studio_agent_memory where workflow_id = $1",
      [key.workflowId],
    );
    expect(JSON.stringify(rows)).not.toMatch(/kestrel|merlin/);
    expect(await encryptedMessages.load(key, {})).toMatchObject([question, answer]);
    const kept = async () => {
      const ids = [file.$file, drawn.$file];
      await stack.sql("update public.studio_files set created_at = now() - interval '2 days' where id = any ($1)", [
        ids,
      ]);
      await stack.sql("select private.studio_prune_files($1)", [alice.userId]);
      return (await stack.sql("select from public.studio_files where id = any ($1)", [ids])).length;
    };
    expect(await kept()).toBe(2);
    await encryptedMessages.prune(key, 0);
    expect(await kept()).toBe(0);
  });

  it("S89 are read as they were written, and the database holds no word of them", async () => {
    const key = await alice.newSession();
    const secret = `orchid-${randomUUID()}`;
    const said: Message[] = [
      userMessage(`My word is ${secret}.`),
      {
        role: "assistant",
        parts: [{ type: "tool-call", callId: "c", toolName: "look", arguments: `{"for":"${secret}"}` }],
      },
      { role: "tool", callId: "c", toolName: "look", ok: true, text: `Found ${secret}`, untrusted: true },
      assistantMessage(`You said ${secret}.`),
    ];
    await alice.encryptedMessages.append(key, said, { id: randomUUID() });
    expect(await alice.encryptedMessages.load(key, {})).toEqual(said);
    expect(await alice.messages.load(key, { limit: 2 })).toEqual(said.slice(-2));
    expect((await alice.memory.entries(at(key))).map(({ message }) => message)).toEqual(said);
    expect(await alice.memory.messages(key.workflowId ?? "", "s")).toEqual(said);
    expect(await alice.memory.titles(place, [key])).toEqual([`My word is ${secret}.`]);
    expect(await tablesWith(secret)).toEqual([]);
    expect(await tablesWith(Buffer.from(secret).toString("base64").slice(4, 24))).toEqual([]);
    const plain = await alice.newSession();
    await alice.messages.append(plain, said);
    expect(await tablesWith(secret)).toEqual(["public.studio_agent_memory", "public.studio_memory_conversations"]);
  });

  it("are written once, however often the write is repeated", async () => {
    const key = await alice.newSession();
    const write = { id: randomUUID() };
    await alice.encryptedMessages.append(key, turn("moss"), write);
    await alice.encryptedMessages.append(key, turn("moss"), write);
    await alice.encryptedMessages.append(key, turn("fern"), { id: randomUUID() });
    expect(await alice.messages.load(key, {})).toEqual([...turn("moss"), ...turn("fern")]);
  });

  it("are pruned in whole turns, and keep their name when the window lets the first question go", async () => {
    const key = await alice.newSession();
    for (const word of ["one", "two", "three"]) await alice.encryptedMessages.append(key, turn(word));
    await alice.encryptedMessages.prune(key, 2);
    expect(await alice.messages.load(key, {})).toEqual(turn("three"));
    expect(await alice.memory.titles(place, [key])).toEqual(["What is one?"]);
    await alice.memory.clear(at(key));
    expect(await alice.messages.load(key, {})).toEqual([]);
  });

  it("S89 open for nobody else, not even with a copy of the row", async () => {
    const key = await alice.newSession();
    await alice.encryptedMessages.append(key, turn("moss"));
    expect(await bob.messages.load(key, {})).toEqual([]);
    const stolen = (await rowsOf(key))[0]?.message;
    const his = await bob.newSession();
    const copy = { workflow_id: his.workflowId, session_id: "s", role: "user", message: stolen };
    expect((await bob.client.from("studio_agent_memory").insert(copy)).error).toBeNull();
    await expect(bob.messages.load(his, {})).rejects.toMatchObject({
      data: { code: "memory_error", retryable: false, message: expect.stringContaining("cannot be decrypted") },
    });
    const { id, key: version, sealed } = stolen ?? { id: "", key: 1, sealed: "" };
    const asked = { action: "open", texts: [{ ...key, kind: "message", id, key: version, sealed }] };
    const answer = await callFunction(stack, "conversations", bob.accessToken, asked);
    expect(answer.json).toEqual({ texts: [{ ok: false, reason: "changed" }] });
    const own = await callFunction(stack, "conversations", alice.accessToken, asked);
    expect(own.json).toEqual({ texts: [{ ok: true, text: JSON.stringify(turn("moss")[0]) }] });
  });

  it.each([
    ["changed", (row: Row) => ({ ...row.message, sealed: `${row.message.sealed.slice(0, -8)}AAAAAAA=` })],
    ["cut", (row: Row) => ({ ...row.message, sealed: "" })],
    ["without its id", (row: Row) => ({ sealed: row.message.sealed, key: row.message.key })],
    ["its title", (row: Row) => row.message.title ?? {}],
  ])("S89 a message that is %s is refused, marked in the panel, and can be deleted", async (_case, change) => {
    const key = await alice.newSession();
    await alice.encryptedMessages.append(key, [...turn("moss"), ...turn("fern")]);
    const row = (await rowsOf(key))[2];
    if (!row) throw new Error("There is no such row.");
    await stack.sql("update public.studio_agent_memory set message = $2 where id = $1", [row.id, change(row)]);
    await expect(alice.messages.load(key, {})).rejects.toMatchObject({ data: { code: "memory_error" } });
    const entries = await alice.memory.entries(at(key));
    expect(entries.map(({ unreadable }) => unreadable !== undefined)).toEqual([false, false, true, false]);
    expect(entries[2]?.message).toEqual({ role: "user", parts: [] });
    if (entries[2]) await alice.memory.replace(at(key), entries[2], null);
    expect((await alice.messages.load(key, {})).map(messageText)).toEqual([
      "What is moss?",
      "moss is a word.",
      "fern is a word.",
    ]);
  });

  it("S89 moved to another conversation of the same user stay shut", async () => {
    const key = await alice.newSession();
    const other = await alice.newSession();
    await alice.encryptedMessages.append(key, turn("moss"));
    await stack.sql("update public.studio_agent_memory set session_id = 't' where workflow_id = $1", [key.workflowId]);
    await expect(alice.messages.load({ ...key, sessionId: "t" }, {})).rejects.toMatchObject({
      data: { code: "memory_error" },
    });
    await stack.sql("update public.studio_agent_memory set session_id = 's', workflow_id = $2 where workflow_id = $1", [
      key.workflowId,
      other.workflowId,
    ]);
    await expect(alice.messages.load(other, {})).rejects.toMatchObject({ data: { code: "memory_error" } });
  });

  it("S89 no text can be stored beside its ciphertext", async () => {
    const key = await alice.newSession();
    const row = { workflow_id: key.workflowId, session_id: "s", role: "user" };
    const message = { id: "i", key: 1, sealed: "AAAA" };
    const { error } = await alice.client.from("studio_agent_memory").insert({ ...row, content: "Hello", message });
    expect(error?.code).toBe("23514");
  });

  it("mix with plain ones, whichever came first", async () => {
    const first = await alice.newSession();
    await alice.messages.append(first, turn("plain"));
    await alice.encryptedMessages.append(first, turn("sealed"));
    await alice.messages.append(first, turn("later"));
    const all = [...turn("plain"), ...turn("sealed"), ...turn("later")];
    for (const store of [alice.messages, alice.encryptedMessages]) expect(await store.load(first, {})).toEqual(all);
    const second = await alice.newSession();
    await alice.encryptedMessages.append(second, turn("sealed"));
    await alice.messages.append(second, turn("plain"));
    expect(await alice.memory.titles(place, [first, second])).toEqual(["What is plain?", "What is sealed?"]);
    const entries = await alice.memory.entries(at(first));
    expect(entries.map(({ stored }) => stored !== undefined)).toEqual([false, false, true, true, false, false]);
  });

  it("are edited, deleted and brought back in their encrypted form", async () => {
    const key = await alice.newSession();
    await alice.encryptedMessages.append(key, [...turn("moss"), ...turn("fern")]);
    const [question] = await alice.memory.entries(at(key));
    if (!question) throw new Error("There is no question.");
    await alice.memory.replace(at(key), question, userMessage("What is lichen?"));
    expect(await alice.memory.titles(place, [key])).toEqual(["What is lichen?"]);
    expect(await tablesWith("What is lichen?")).toEqual([]);
    const entries = await alice.memory.entries(at(key));
    await alice.memory.clear(at(key));
    await alice.memoryWith(functionDown).append(at(key), entries);
    expect((await alice.memory.entries(at(key))).map(({ message, at: time }) => [message, time])).toEqual(
      entries.map(({ message, at: time }) => [message, time]),
    );
    await alice.memory.append(at(key), [{ message: userMessage("Imported sphagnum") }], { encrypt: true });
    expect((await alice.messages.load(key, {})).map(messageText).at(-1)).toBe("Imported sphagnum");
    expect(await tablesWith("Imported sphagnum")).toEqual([]);
  });

  it("are found by their ids, and a search says how many it could not find by their words", async () => {
    const key = await alice.newSession("orders-encrypted");
    const workflowId = key.workflowId ?? "";
    await alice.encryptedMessages.append(key, turn("heather"));
    await alice.messages.append({ workflowId, sessionId: "plain" }, turn("heather"));
    const search = (text: string) =>
      alice.memory.conversations(place, workflowId, { search: text, limit: 10, ownOnly: true });
    expect(await search("heather")).toMatchObject({ rows: [{ sessionId: "plain" }], unsearched: 1 });
    expect(await search("orders")).toMatchObject({ rows: [{ sessionId: "orders-encrypted" }], unsearched: 1 });
    expect(await search("")).not.toHaveProperty("unsearched");
  });

  it("are deleted by age as all others", async () => {
    const key = await alice.newSession();
    await alice.encryptedMessages.append(key, turn("old"));
    await stack.sql(
      "update public.studio_memory_conversations set last_written_at = now() - interval '40 days' where workflow_id = $1",
      [key.workflowId],
    );
    await alice.memory.setRetention({ keepDays: 30 });
    await alice.memory.setRetention({ keepDays: null });
    expect(await rowsOf(key)).toEqual([]);
  });

  it("go to the function in parts, however many and large they are", async () => {
    const key = await alice.newSession();
    const many = Array.from({ length: 1_003 }, (_, number) => userMessage(`message ${number}`));
    const large = Array.from({ length: 2 }, (_, number) => assistantMessage(String(number).repeat(1_200_000)));
    await alice.encryptedMessages.append(key, many);
    await alice.encryptedMessages.append(key, large);
    expect(await alice.messages.load(key, {})).toEqual([...many, ...large]);
  }, 120_000);

  it("S57 a turn waits in the browser while the function is away, and is stored encrypted once it is back", async () => {
    const key = await alice.newSession();
    const rows = new Map<string, WaitingTurn>();
    const table: BrowserTable<WaitingTurn> = {
      put: async (row) => rows.set(row.id, row).has(row.id),
      get: async (id) => rows.get(id),
      all: async () => [...rows.values()],
      remove: async (id) => void rows.delete(id),
      clear: async () => rows.clear(),
    };
    let up = false;
    const functions: FunctionAccess = {
      ...alice.access,
      fetch: (input, init) => (up ? fetch(input, init) : Promise.reject(new TypeError("fetch failed"))),
    };
    const database = alice.client;
    const unsavedTurns = createUnsavedTurns({
      table,
      send: (write) => sendTurn({ database, functions }, write),
      pauseMs: 3_600_000,
    });
    unsavedTurns.use(alice.userId);
    const { encryptedMessages } = openConnections({ ...functions, database, unsavedTurns });
    await expect(encryptedMessages.append(key, turn("moss"), { id: randomUUID() })).rejects.toMatchObject({
      data: { retryable: true, hint: expect.stringContaining("kept in this browser") },
    });
    expect(unsavedTurns.list()).toHaveLength(1);
    up = true;
    await unsavedTurns.retry();
    expect(unsavedTurns.list()).toEqual([]);
    expect(await alice.messages.load(key, {})).toEqual(turn("moss"));
    expect((await rowsOf(key)).map(({ message }) => "sealed" in message)).toEqual([true, true]);
  });

  it("without the function nothing is written, reading fails as something that may pass, and lists go on", async () => {
    const key = await alice.newSession();
    const down = alice.storesWith(functionDown);
    await expect(down.encryptedMessages.append(key, turn("moss"))).rejects.toMatchObject({
      data: { code: "memory_error", retryable: true, message: expect.stringContaining("could not be encrypted") },
    });
    expect(await rowsOf(key)).toEqual([]);
    await alice.encryptedMessages.append(key, turn("moss"));
    await expect(down.messages.load(key, {})).rejects.toMatchObject({
      data: { code: "memory_error", retryable: true, message: expect.stringContaining("could not be decrypted") },
    });
    const memory = alice.memoryWith(functionDown);
    await expect(memory.entries(at(key))).rejects.toMatchObject({ name: "ServiceError", hint: "Try again." });
    expect(await memory.titles(place, [key])).toEqual([null]);
    expect((await memory.conversations(place, key.workflowId ?? "", { limit: 5, ownOnly: true })).total).toBe(1);
  });
});

describe("the function conversations", () => {
  const ask = (body: object) => callFunction(stack, "conversations", alice.accessToken, body);
  const text = { workflowId: null, sessionId: "s", kind: "message", text: "x" };

  it("refuses what is too much or not understood", async () => {
    const wrong = [
      { action: "seal", texts: [] },
      { action: "seal", texts: Array.from({ length: 1_001 }, () => text) },
      { action: "seal", texts: [{ ...text, owner: bob.userId }] },
      { action: "open", texts: [text] },
    ];
    for (const body of wrong) expect((await ask(body)).status).toBe(400);
    const large = await ask({ action: "seal", texts: [{ ...text, text: "x".repeat(8 * 1024 * 1024 + 1) }] });
    expect(large.json["error"]).toMatchObject({ code: "invalid_config", message: expect.stringContaining("8 MB") });
    expect((await ask({ action: "seal", texts: [{ ...text, text: "x".repeat(17 * 1024 * 1024) }] })).status).toBe(413);
  });
});
