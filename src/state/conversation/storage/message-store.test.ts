import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { SessionKey } from "../../../engine/host.ts";
import { assistantMessage, type Message, userMessage } from "../../../engine/model/message.ts";
import { createMessageStore } from "./message-store.ts";

let stack: SharedStack;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await signUp(stack);
  bob = await signUp(stack);
});

async function newWorkflow(account: SignedIn): Promise<string> {
  const document = { schemaVersion: 1, id: "w", name: "Test", nodes: {}, edges: {} };
  const { data, error } = await account.client
    .from("studio_workflows")
    .insert({ name: "Test", document })
    .select("id")
    .single();
  if (error) throw error;
  return data.id as string;
}

const turn = (number: number): Message[] => [userMessage(`question ${number}`), assistantMessage(`answer ${number}`)];

describe("message store on Postgres", () => {
  it("keeps order, whole turns and every field of a message", async () => {
    const store = createMessageStore(alice.client);
    const key: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "s" };
    const call: Message[] = [
      userMessage("2+2"),
      { role: "assistant", parts: [{ type: "tool-call", callId: "c1", toolName: "calculator", arguments: '{"a":' }] },
      { role: "tool", callId: "c1", toolName: "calculator", ok: true, text: "4" },
      assistantMessage("It is 4."),
    ];
    await store.append(key, call);
    await store.append(key, turn(2));
    expect(await store.load(key, {})).toEqual([...call, ...turn(2)]);
    expect(await store.load(key, { limit: 3 })).toEqual([assistantMessage("It is 4."), ...turn(2)]);
  });

  it("loads more than one page", async () => {
    const store = createMessageStore(alice.client);
    const key: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "long" };
    const messages = Array.from({ length: 1203 }, (_, number) => userMessage(`message ${number}`));
    await store.append(key, messages);
    expect(await store.load(key, {})).toEqual(messages);
    expect(await store.load(key, { limit: 1100 })).toEqual(messages.slice(-1100));
  });

  it("prunes to the newest, and to nothing", async () => {
    const store = createMessageStore(alice.client);
    const key: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "s" };
    const other = { ...key, sessionId: "other" };
    for (const number of [1, 2, 3]) await store.append(key, turn(number));
    await store.append(other, turn(9));
    await store.prune(key, 10);
    expect(await store.load(key, {})).toHaveLength(6);
    await store.prune(key, 2);
    expect(await store.load(key, {})).toEqual(turn(3));
    await store.prune(key, 0);
    expect(await store.load(key, {})).toEqual([]);
    expect(await store.load(other, {})).toEqual(turn(9));
  });

  it("appends and prunes in one write, which adds nothing the second time", async () => {
    const store = createMessageStore(alice.client);
    const key: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "kept" };
    const shared: SessionKey = { workflowId: null, sessionId: "kept" };
    for (const place of [key, shared]) {
      for (const number of [1, 2, 3])
        await store.append(place, turn(number), { id: `${place.workflowId}/${number}`, keep: 4 });
      expect(await store.load(place, {})).toEqual([...turn(2), ...turn(3)]);
      await store.append(place, turn(3), { id: `${place.workflowId}/3`, keep: 4 });
      expect(await store.load(place, {})).toEqual([...turn(2), ...turn(3)]);
      await store.append(place, turn(4), { keep: 3 });
      // Never a torn turn.
      expect(await store.load(place, {})).toEqual([...turn(3), ...turn(4)]);
    }
    const invalid = JSON.parse(`{ "role": "nobody", "parts": [] }`) as Message;
    await expect(store.append(key, [...turn(5), invalid], { keep: 1 })).rejects.toMatchObject({
      data: { code: "memory_error" },
    });
    expect(await store.load(key, {})).toEqual([...turn(3), ...turn(4)]);
  });

  it("S39 keeps equal session names of two workflows, of the shared scope and of two users apart", async () => {
    const hers = createMessageStore(alice.client);
    const his = createMessageStore(bob.client);
    const first: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "same" };
    const second: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "same" };
    const shared: SessionKey = { workflowId: null, sessionId: "same" };
    await hers.append(first, turn(1));
    await hers.append(second, turn(2));
    await hers.append(shared, turn(3));
    await his.append(shared, turn(4));
    expect(await hers.load(first, {})).toEqual(turn(1));
    expect(await hers.load(second, {})).toEqual(turn(2));
    expect(await hers.load(shared, {})).toEqual(turn(3));
    expect(await his.load(shared, {})).toEqual(turn(4));
    expect(await his.load(first, {})).toEqual([]);
    await his.prune(first, 0);
    expect(await hers.load(first, {})).toEqual(turn(1));
  });

  it("writes a turn whole or not at all, and fails as a memory error in words", async () => {
    const store = createMessageStore(bob.client);
    const foreign: SessionKey = { workflowId: await newWorkflow(alice), sessionId: "s" };
    await expect(store.append(foreign, turn(1))).rejects.toMatchObject({
      data: { code: "memory_error", message: expect.stringContaining("could not be saved") },
    });
    const own: SessionKey = { workflowId: await newWorkflow(bob), sessionId: "s" };
    const invalid = JSON.parse(`{ "role": "nobody", "parts": [] }`) as Message;
    await expect(store.append(own, [...turn(1), invalid])).rejects.toMatchObject({ data: { code: "memory_error" } });
    expect(await store.load(own, {})).toEqual([]);
  });

  it("stops loading when aborted", async () => {
    const store = createMessageStore(alice.client);
    const signal = AbortSignal.abort(new Error("stopped by the user"));
    await expect(store.load({ workflowId: null, sessionId: "s" }, { signal })).rejects.toThrow("stopped by the user");
  });
});
