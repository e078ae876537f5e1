import { describe, expect, it } from "vitest";
import { assistantMessage, holdsUntrusted, messageText, userMessage } from "../../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../../testing/run-scripted-agent.ts";
import type { ToolResult } from "../../tool/tool.ts";

const done = { text: "Done." };

const readOf = (answer: string | (() => ToolResult), extra: Parameters<typeof testTool>[2] = {}) => ({
  title: "Note a",
  tool: testTool("read", answer, { untrusted: true, ...extra }),
  input: { id: "a" },
});

describe("what an agent reads before it asks its model", () => {
  it("stands after the conversation so far, right before the question", async () => {
    const memory = testMemory([userMessage("Earlier"), assistantMessage("Indeed.")]);
    const { model, of } = await runScriptedAgent({ script: [done], context: [readOf("Closed today.")], memory });
    const messages = model.requests[0]?.messages.filter(({ role }) => role !== "system") ?? [];
    expect(messages.map((message) => messageText(message).split("\n").at(-2) ?? messageText(message))).toEqual([
      "Earlier",
      "Indeed.",
      "  Closed today.",
      "Hello",
    ]);
    expect(of("model-request")[0]?.fromMemory).toBe(2);
    expect(of("tool-call-start")).toMatchObject([{ toolName: "read", toolNodeId: "context", edgeId: "context-edge" }]);
  });

  it("is read anew in each turn and not remembered, but its mark is", async () => {
    const memory = testMemory();
    const turn = { script: [done], memory };
    await runScriptedAgent({ ...turn, context: [readOf("Closed today.")] });
    const kept = memory.sessions.get("session") ?? [];
    expect(kept.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(kept.map(messageText)).toEqual(["Hello", "Done."]);
    expect(holdsUntrusted(kept)).toBe(true);
    const { model } = await runScriptedAgent({ ...turn, context: [readOf("Open again.")] });
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("Closed today.");
  });

  it("is there for planning, and bears no mark where it is the agent's own", async () => {
    const { model, outcome } = await runScriptedAgent({
      script: [{ text: "1. Answer." }, done],
      settings: { planning: true },
      context: [readOf("Closed today.", { untrusted: false })],
    });
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("Closed today.");
    expect(outcome.untrusted).toEqual([]);
  });

  it("asks nobody, and keeps nothing of what it read of a turn whose model then failed", async () => {
    const memory = testMemory();
    const failed = { error: { code: "model_error" as const, message: "Down.", hint: "", retryable: false } };
    const { outcome, of } = await runScriptedAgent({ script: [failed], memory, context: [readOf("Closed today.")] });
    expect(outcome.ok).toBe(false);
    expect(of("approval-wait")).toEqual([]);
    expect(memory.sessions.get("session")).toEqual([
      userMessage("Hello"),
      expect.objectContaining({ role: "assistant", parts: [], incomplete: "error" }),
    ]);
  });

  it("is left out with the reason where it fails or throws", async () => {
    const refused = readOf(() => ({ ok: false, error: { message: "Gone.", hint: "Choose another." } }));
    const { model, of } = await runScriptedAgent({ script: [done], context: [refused] });
    expect(of("warning")).toMatchObject([
      {
        nodeId: "context",
        message: "Note a could not be read, so the agent works without it. Gone.",
        hint: "Choose another.",
      },
    ]);
    expect(model.requests[0]?.messages.filter(({ role }) => role === "user")).toHaveLength(1);
    const broken = readOf(() => {
      throw new Error("Cut off");
    });
    const other = await runScriptedAgent({ script: [done], context: [broken] });
    expect(other.of("warning")[0]?.message).toContain("Cut off");
    expect(other.outcome.ok).toBe(true);
  });
});
