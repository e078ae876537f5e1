import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { collectRun } from "../../engine/testing/collect-run.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { watchForAnswer } from "./watch-for-answer.ts";

/** The types of the events with which the answer was complete, and of the one that came last before them. */
async function completedBy(sketch: Parameters<typeof buildWorkflow>[0], message = "What is 2 + 3?") {
  const document = buildWorkflow(sketch);
  const input = { message, sessionId: "s" };
  const host = testHost({ runCode: () => ({ ok: true, output: "done", logs: [] }) });
  const events = await collectRun(document, input, { registry: nodeRegistry, host });
  const completes = watchForAnswer(document);
  const found = events.filter((event) => completes(event));
  const after = found[0] ? events.slice(events.indexOf(found[0]) + 1).map(({ type }) => type) : [];
  return { found, after };
}

const chat = (agent: JsonObject = {}) => ({
  nodes: {
    start: ["chat-trigger"],
    agent: ["ai-agent", agent],
    model: ["demo-model"],
    memory: ["window-memory"],
    tool: ["calculator-tool"],
  } satisfies Parameters<typeof buildWorkflow>[0]["nodes"],
  edges: [
    "start.main -> agent.main",
    "model.model -> agent.model",
    "memory.memory -> agent.memory",
    "tool.tool -> agent.tools",
  ],
});

describe("when a run's answer is complete", () => {
  it("is once the agent has said its last, after its tool calls and before the turn is written down", async () => {
    const { found, after } = await completedBy(chat());
    expect(found).toMatchObject([{ type: "iteration-end", nodeId: "agent", iteration: 2, finish: "completed" }]);
    expect(after).toEqual(["memory-save", "node-end", "run-end"]);
  });

  it("is also where the agent stopped early and gave what it had", async () => {
    const { found } = await completedBy(chat({ maxIterations: 1 }));
    expect(found).toMatchObject([{ finish: "max_iterations" }]);
  });

  it("is never before the end where another node follows, goes on beside it, or the answer may be asked for again", async () => {
    const { nodes, edges } = chat();
    const followed = {
      nodes: { ...nodes, next: ["set-fields"] as [string] },
      edges: [...edges, "agent.main -> next.main"],
    };
    const beside = {
      nodes: { ...nodes, other: ["ai-agent"] as [string] },
      edges: [...edges, "start.main -> other.main", "model.model -> other.model"],
    };
    expect((await completedBy(followed)).found).toEqual([]);
    expect((await completedBy(chat({ outputFormat: "json" }))).found).toEqual([]);
    expect((await completedBy(beside)).after).not.toContain("model-request");
  });

  it("is never where the agent failed", async () => {
    expect((await completedBy(chat({ userMessage: " " }))).found).toEqual([]);
  });

  it("is not when an agent answers that another one called", async () => {
    const { nodes, edges } = chat();
    const { found } = await completedBy(
      {
        nodes: { ...nodes, helper: ["ai-agent", { toolName: "ask_helper" }] },
        edges: [...edges, "helper.tool -> agent.tools", "model.model -> helper.model"],
      },
      "ask_helper to say hello",
    );
    expect(found.map((event) => "nodeId" in event && event.nodeId)).toEqual(["agent"]);
  });
});
