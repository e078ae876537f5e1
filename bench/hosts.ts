import { knowledgeStore } from "../src/engine/in-memory/knowledge-store.ts";
import { randomUUID } from "node:crypto";
import type { Host, MessageStore } from "../src/engine/host.ts";
import { realSleep } from "../src/engine/testing/real-sleep.ts";

const noMessages: MessageStore = {
  load: () => Promise.resolve([]),
  loadStored: () => Promise.resolve([]),
  append: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

/** A host with a real clock and direct model calls to `modelUrl`: nothing between the engine and the server. */
export function benchHost(modelUrl = "http://127.0.0.1:9"): Host {
  const base = new URL(modelUrl);
  return {
    fetch: (_connection, input, init) => {
      const asked = new URL(input instanceof Request ? input.url : input);
      asked.protocol = base.protocol;
      asked.host = base.host;
      return fetch(asked, input instanceof Request ? input : init);
    },
    callFunction: () => Promise.reject(new Error("The bench calls no edge function.")),
    now: () => performance.timeOrigin + performance.now(),
    newId: randomUUID,
    sleep: realSleep,
    mcpFetch: () => Promise.reject(new Error("The bench calls no MCP server.")),
    workflows: { load: () => Promise.reject(new Error("The bench loads no workflow.")) },
    messages: noMessages,
    encryptedMessages: noMessages,
    tab: noMessages,
    vectors: { append: () => Promise.resolve(), search: () => Promise.resolve([]) },
    knowledge: knowledgeStore(),
    approve: (request) => Promise.resolve({ approved: true, input: request.input }),
    runCode: () => Promise.reject(new Error("The bench runs no code.")),
  };
}
