import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { openTools } from "../../engine/run/open-tools.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const workflow = (memory: JsonObject = {}) =>
  buildWorkflow({
    id: "w1",
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent"],
      helper: ["ai-agent", { toolName: "ask_helper", scratchpad: true }],
      model: ["demo-model"],
      memory: ["window-memory", memory],
    },
    edges: [
      "start.main -> agent.main",
      "helper.tool -> agent.tools",
      "model.model -> agent.model",
      "model.model -> helper.model",
      "memory.memory -> agent.memory",
      "memory.memory -> helper.memory",
    ],
  });

const input = { message: "My cat is Tom", sessionId: "s" };
const key = { workflowId: "w1", sessionId: "s" };

describe("a run that is only a try", () => {
  it.each<JsonObject>([{}, { clearOnRun: true }])(
    "of one node reads the conversation and leaves it as it is (%j)",
    async (memory) => {
      const host = testHost();
      const document = workflow(memory);
      const first = await runToEnd(document, { registry: nodeRegistry, host, input });
      expect(first.of("memory-save")[0]?.scratch).toBeUndefined();
      const before = JSON.stringify(host.messages.keptOf(key));
      const { writes } = host.messages;
      const alone = { startNodeId: "agent", stopAfterNodeId: "agent" };
      const asked = { ...input, message: "What is my cat called?" };
      const run = await runToEnd(document, { registry: nodeRegistry, host, input: asked, ...alone });
      expect(run.end.outcome).toBe("completed");
      expect(run.of("memory-save")).toMatchObject([{ session: "s", scratch: true }]);
      expect(run.of("memory-load")[0]?.messages).toBe("clearOnRun" in memory ? 0 : 2);
      expect(JSON.stringify(host.messages.keptOf(key))).toBe(before);
      expect(host.messages.writes).toBe(writes);
      // Nothing of it is left for the next one.
      const next = await runToEnd(document, { registry: nodeRegistry, host, input: asked, ...alone });
      expect(next.of("memory-load")[0]?.messages).toBe("clearOnRun" in memory ? 0 : 2);
    },
  );

  it("as a fork writes nothing, and as a run that goes on where it broke off does", async () => {
    const host = testHost();
    const document = workflow();
    const first = await runToEnd(document, { registry: nodeRegistry, host, input });
    const { writes } = host.messages;
    const recording = recordingOf(first.events);
    const until = first.of("model-request")[0]?.callId ?? "";
    const fork = await runToEnd(document, { registry: nodeRegistry, host, input, replay: { recording, until } });
    expect(fork.of("memory-save")).toMatchObject([{ scratch: true }]);
    expect(host.messages.writes).toBe(writes);
    const cut = first.events.findIndex(({ type }) => type === "model-request");
    const broken = { ...recording, events: recording.events.slice(0, cut) };
    await runToEnd(document, { registry: nodeRegistry, host, input, replay: { recording: broken } });
    expect(host.messages.writes).toBeGreaterThan(writes);
  });

  it("of an agent as a tool writes nothing", async () => {
    const host = testHost();
    const controller = new AbortController();
    const { signal } = controller;
    const opened = await openTools(workflow(), "helper", { registry: nodeRegistry, host, signal });
    if (!opened.ok) throw new Error(opened.error.message);
    const [tool] = opened.opened.tools;
    if (!tool) throw new Error("The helper is no tool.");
    const called = await opened.opened.call(tool, { message: "My cat is Tom" }, signal);
    expect(called.ok).toBe(true);
    expect([host.messages.writes, host.messages.sessions()]).toEqual([0, []]);
  });
});
