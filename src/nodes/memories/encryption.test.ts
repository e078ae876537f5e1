import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { memoryStore } from "../../engine/in-memory/memory-store.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const encrypted = { mask: [], patterns: [], encryptConversations: true };

const workflow = (type: string, config: JsonObject, privacy?: WorkflowDocument["privacy"]): WorkflowDocument => ({
  ...buildWorkflow({
    id: "w1",
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent", { scratchpad: true }],
      model: ["demo-model"],
      memory: [type, config],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "memory.memory -> agent.memory"],
  }),
  ...(privacy ? { privacy } : {}),
});

const problemsOf = (document: WorkflowDocument) =>
  validateWorkflow(document, nodeRegistry).filter(({ nodeId }) => nodeId === "memory");

describe("a workflow that encrypts its conversations", () => {
  it.each([
    ["buffer-memory", { storage: "postgres" }],
    ["window-memory", {}],
    ["window-memory", { scope: "all" }],
    ["summary-memory", { maxMessages: 2, batchSize: 2 }],
  ])("writes by the encrypted store alone with a %s (%j)", async (type, config) => {
    const host = testHost({ encryptedMessages: memoryStore() });
    for (const message of ["One", "Two", "Three"]) {
      const input = { message, sessionId: "s" };
      const run = await runToEnd(workflow(type, config, encrypted), { registry: nodeRegistry, host, input });
      expect(run.of("memory-error")).toEqual([]);
    }
    const key = { workflowId: "scope" in config ? null : "w1", sessionId: "s" };
    expect(await host.encryptedMessages.load(key, {})).toHaveLength(6);
    expect(await host.encryptedMessages.load({ ...key, sessionId: "s:summary" }, {})).toHaveLength(
      type === "summary-memory" ? 1 : 0,
    );
    expect(host.messages.writes).toBe(0);
  });

  it("is refused before a run with a vector memory, whose vectors would give away what was said", async () => {
    const config = { provider: "demo" };
    expect(problemsOf(workflow("vector-memory", config))).toEqual([]);
    const document = workflow("vector-memory", config, encrypted);
    expect(problemsOf(document)).toMatchObject([
      { severity: "error", field: "provider", hint: expect.stringContaining("window, summary or buffer memory") },
    ]);
    const host = testHost();
    const input = { message: "One", sessionId: "s" };
    const run = await runToEnd(document, { registry: nodeRegistry, host, input });
    expect(run.of("run-end")[0]).toMatchObject({ outcome: "failed" });
    expect(host.messages.writes).toBe(0);
  });

  it("is told that Redis keeps plain text", () => {
    const config = { credential: "c" };
    expect(problemsOf(workflow("redis-memory", config))).toEqual([]);
    expect(problemsOf(workflow("redis-memory", config, encrypted))).toMatchObject([
      { severity: "warning", message: expect.stringContaining("Redis are kept as plain text") },
    ]);
  });
});
