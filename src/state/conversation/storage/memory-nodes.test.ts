import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { sharedTestStack, type SharedStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { AnyNodeDefinition } from "../../../engine/document/define-node.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { messageText } from "../../../engine/model/message.ts";
import type { Script } from "../../../engine/testing/scripted-model.ts";
import { testHost, type TestHost } from "../../../engine/testing/test-host.ts";
import { bufferMemory } from "../../../nodes/memories/buffer-memory.ts";
import { summaryMemory } from "../../../nodes/memories/summary-memory.ts";
import { type Chat, chatWithMemory } from "../../../nodes/memories/testing/chat-with-memory.ts";
import { vectorMemory } from "../../../nodes/memories/vector-memory.ts";
import { windowMemory } from "../../../nodes/memories/window-memory.ts";
import { createMessageStore } from "./message-store.ts";
import { createVectorStore } from "./vector-store.ts";

let stack: SharedStack;
let alice: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  alice = await signUp(stack);
});

/** A page that has just been loaded: the database's conversations, nothing in the tab; only real time passes. */
function freshPage(): TestHost {
  const host = testHost();
  // As everywhere but in tests: a write's id is never another's.
  host.newId = () => crypto.randomUUID();
  host.sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      // Pauses before a retry pass at once; time limits are never reached.
      if (ms < 10_000) resolve();
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  Object.assign(host, { messages: createMessageStore(alice.client), vectors: createVectorStore(alice.client) });
  return host;
}

const memories: [AnyNodeDefinition, JsonObject][] = [
  [bufferMemory, { storage: "postgres" }],
  [windowMemory, { maxMessages: 4 }],
  [summaryMemory, { maxMessages: 4 }],
  [vectorMemory, { maxMessages: 4, provider: "demo" }],
];

const newWorkflow = async () => String((await plant(stack, "studio_workflows", alice))["id"]);

const script: Script = (request) => {
  const last = request.messages.at(-1);
  const text = last ? messageText(last) : "";
  return { text: text.includes("The messages to add:") ? "They counted." : `Re: ${text}` };
};

describe.each(memories.map(([node, config]) => ({ type: node.type, node, config })))(
  "$type on Postgres",
  ({ node, config }) => {
    const chat = (workflow: string, message: string, more: Chat = {}) =>
      chatWithMemory(node, message, { host: freshPage(), config, workflow, script, ...more });

    it("remembers after a reload", async () => {
      const workflow = await newWorkflow();
      for (const message of ["One", "Two", "Three"]) await chat(workflow, message);
      const { sent } = await chat(workflow, "Four");
      expect(sent.slice(-5)).toEqual(["Two", "Re: Two", "Three", "Re: Three", "Four"]);
      if (node === bufferMemory) expect(sent[0]).toBe("One");
      if (node === summaryMemory) expect(sent[0]).toContain("They counted.");
    });

    it("S60 keeps pairs whole under runs at once", async () => {
      const workflow = await newWorkflow();
      await Promise.all(["A", "B", "C", "D", "E", "F"].map((message) => chat(workflow, message)));
      const kept = await freshPage().messages.load({ workflowId: workflow, sessionId: `${workflow}:default` }, {});
      expect(kept.length).toBeGreaterThanOrEqual(4);
      const words = kept.map(messageText);
      for (let index = 0; index < words.length; index += 2) expect(words[index + 1]).toBe(`Re: ${words[index]}`);
    });

    it("lets the answer come when the database refuses", async () => {
      const workflow = await newWorkflow();
      const tables = "public.studio_agent_memory";
      await stack.sql(`revoke select, insert on ${tables} from authenticated`);
      try {
        const { end, of } = await chat(workflow, "One");
        expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
        expect(of("memory-error").map(({ operation, error }) => [operation, error.code])).toEqual([
          ["load", "memory_error"],
          ["save", "memory_error"],
        ]);
        expect(of("memory-error")[0]?.error.message).toContain("permission denied");
      } finally {
        await stack.sql(`grant select, insert on ${tables} to authenticated`);
      }
    });
  },
);
