import { expect, it } from "vitest";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { vectorStore } from "../../engine/in-memory/vector-store.ts";
import { assistantMessage, userMessage } from "../../engine/model/message.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { bufferMemory } from "./buffer-memory.ts";
import { redisMemory } from "./redis-memory.ts";
import { summaryMemory } from "./summary-memory.ts";
import { chatWithMemory } from "./testing/chat-with-memory.ts";
import { vectorMemory } from "./vector-memory.ts";
import { windowMemory } from "./window-memory.ts";

const key = { workflowId: "w1", sessionId: "w1:default" };

/** A host whose Redis keeps one list, and refuses requests of a run that is over. */
function hostWithRedis() {
  const list: Json[] = [];
  const host = testHost({
    functions: {
      async "redis-memory"(body, signal) {
        signal.throwIfAborted();
        if (body["action"] === "append" && Array.isArray(body["messages"])) list.push(...body["messages"]);
        return { ok: true, body: { messages: list, expired: false } };
      },
    },
  });
  host.vectors = vectorStore(host.messages);
  return { host, list };
}

const kinds: [string, AnyNodeDefinition, JsonObject, (host: TestHost, list: Json[]) => readonly unknown[]][] = [
  ["the tab", bufferMemory, {}, (host) => host.tab.messagesOf(key)],
  ["a buffer", bufferMemory, { storage: "postgres" }, (host) => host.messages.messagesOf(key)],
  ["a window", windowMemory, {}, (host) => host.messages.messagesOf(key)],
  ["a summary", summaryMemory, {}, (host) => host.messages.messagesOf(key)],
  ["vectors", vectorMemory, { provider: "demo" }, (host) => host.messages.messagesOf(key)],
  ["Redis", redisMemory, { credential: "redis" }, (_host, list) => list],
];

it.each(kinds)("S56 keeps a turn that was stopped as incomplete in %s, and goes on from it", async (...kind) => {
  const [, memory, config, kept] = kind;
  const { host, list } = hostWithRedis();
  const controller = new AbortController();
  const stopped = chatWithMemory(memory, "One", {
    host,
    config,
    script: () => {
      queueMicrotask(() => queueMicrotask(() => controller.abort()));
      return { text: "Half", hang: true };
    },
    signal: controller.signal,
  });
  const { end, of, run } = await stopped.then((result) => ({ ...result, run: result.events[0]?.runId }));
  expect(end.outcome).toBe("cancelled");
  expect(of("memory-save")).toHaveLength(1);
  expect(kept(host, list)).toEqual([
    { ...userMessage("One"), origin: { runId: run, nodeId: "agent", title: expect.any(String) } },
    { ...assistantMessage("Half"), incomplete: "cancelled" },
  ]);

  const { sent, requests } = await chatWithMemory(memory, "Two", { host, config });
  expect(sent).toEqual([
    "One",
    expect.stringMatching(/^Half\n\n\[This turn ended early because it was stopped/),
    "Two",
  ]);
  expect(JSON.stringify(requests[0]?.messages)).not.toContain("origin");
});
