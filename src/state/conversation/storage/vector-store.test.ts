import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { EmbeddedMessage, SessionKey } from "../../../engine/host.ts";
import { type Message, messageText, userMessage } from "../../../engine/model/message.ts";
import { createMessageStore } from "./message-store.ts";
import { createVectorStore } from "./vector-store.ts";

let stack: SharedStack;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await signUp(stack);
  bob = await signUp(stack);
});

async function newSession(account: SignedIn): Promise<SessionKey> {
  const workflow = await plant(stack, "studio_workflows", account);
  return { workflowId: String(workflow["id"]), sessionId: "s" };
}

const entry = (text: string, embedding: number[] | null): EmbeddedMessage => ({
  message: userMessage(text),
  embedding,
});

const words = (messages: readonly { message: Message }[]) => messages.map(({ message }) => messageText(message));

describe("vector store on Postgres", () => {
  it("finds the closest messages, in the order of the conversation", async () => {
    const store = createVectorStore(alice.client);
    const messages = createMessageStore(alice.client);
    const key = await newSession(alice);
    const turn = [entry("east", [1, 0]), entry("silent", null), entry("north", [0, 1]), entry("north-east", [1, 1])];
    await store.append(key, turn, "m");
    expect((await messages.load(key, {})).map(messageText)).toEqual(["east", "silent", "north", "north-east"]);
    const query = { embedding: [0.2, 1], model: "m", limit: 2 };
    expect(words(await store.search(key, query))).toEqual(["north", "north-east"]);
    const northEast = (await messages.loadStored(key, {})).at(-1);
    expect(words(await store.search(key, { ...query, before: northEast?.id ?? 0 }))).toEqual(["east", "north"]);
  });

  it("compares vectors of one model and one length only", async () => {
    const store = createVectorStore(alice.client);
    const key = await newSession(alice);
    await store.append(key, [entry("mine", [1, 0])], "m");
    await store.append(key, [entry("other model", [1, 0])], "n");
    await store.append(key, [entry("longer", [1, 0, 0])], "m");
    expect(words(await store.search(key, { embedding: [1, 0], model: "m", limit: 9 }))).toEqual(["mine"]);
  });

  it("forgets the vector of an edited and of a deleted message", async () => {
    const store = createVectorStore(alice.client);
    const key = await newSession(alice);
    await store.append(key, [entry("kept", [1, 0]), entry("edited", [1, 0]), entry("deleted", [1, 0])], "m");
    const rows = await createMessageStore(alice.client).loadStored(key, {});
    const table = () => alice.client.from("studio_agent_memory");
    await table()
      .update({ message: userMessage("new"), content: "new" })
      .eq("id", rows[1]?.id);
    await table().delete().eq("id", rows[2]?.id);
    expect(words(await store.search(key, { embedding: [1, 0], model: "m", limit: 9 }))).toEqual(["kept"]);
  });

  it("S40 gives another user nothing, and takes nothing into another's conversation", async () => {
    const key = await newSession(alice);
    const shared: SessionKey = { workflowId: null, sessionId: "same" };
    await createVectorStore(alice.client).append(key, [entry("hers", [1, 0])], "m");
    await createVectorStore(alice.client).append(shared, [entry("hers too", [1, 0])], "m");
    const his = createVectorStore(bob.client);
    const query = { embedding: [1, 0], model: "m", limit: 9 };
    expect(await his.search(key, query)).toEqual([]);
    expect(await his.search(shared, query)).toEqual([]);
    await expect(his.append(key, [entry("his", [1, 0])], "m")).rejects.toMatchObject({
      data: { code: "memory_error" },
    });
    expect(words(await createVectorStore(alice.client).search(key, query))).toEqual(["hers"]);
  });

  it("S39 keeps equal session names of two workflows and of the shared scope apart", async () => {
    const store = createVectorStore(alice.client);
    const first = await newSession(alice);
    const second = await newSession(alice);
    const shared: SessionKey = { workflowId: null, sessionId: "s" };
    await store.append(first, [entry("first", [1, 0])], "m");
    await store.append(second, [entry("second", [1, 0])], "m");
    await store.append(shared, [entry("shared", [1, 0])], "m");
    const query = { embedding: [1, 0], model: "m", limit: 9 };
    expect(words(await store.search(first, query))).toEqual(["first"]);
    expect(words(await store.search(second, query))).toEqual(["second"]);
    expect(words(await store.search(shared, query))).toEqual(["shared"]);
  });

  it("writes a turn whole or not at all", async () => {
    const store = createVectorStore(alice.client);
    const key = await newSession(alice);
    const broken = entry("broken", [Number.NaN]);
    await expect(store.append(key, [entry("whole", [1, 0]), broken], "m")).rejects.toMatchObject({
      data: { code: "memory_error", message: expect.stringContaining("could not be saved") },
    });
    expect(await createMessageStore(alice.client).load(key, {})).toEqual([]);
  });
});
