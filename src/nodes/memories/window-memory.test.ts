import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { assistantMessage, type Message, messageText, userMessage } from "../../engine/model/message.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { memoryStore } from "../../engine/testing/memory-store.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { type Script, scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { wholeWindow } from "./message-window.ts";
import { windowMemory } from "./window-memory.ts";

interface Chat {
  host?: TestHost;
  config?: JsonObject;
  workflow?: string;
  input?: JsonObject;
  script?: Script;
}

const down = () => Promise.reject(new Error("connection refused"));

/** One run of a workflow with an agent and this memory; gives what the model was sent. */
async function chat(message: string, { host = testHost(), config = {}, workflow = "w1", input, script }: Chat = {}) {
  const model = scriptedModel(script ?? [{ text: `Re: ${message}` }]);
  const document = buildWorkflow({
    id: workflow,
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], memory: ["window-memory", config], tool: ["t"] },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "tool.tool -> agent.tools",
    ],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), windowMemory, toolNodeOf("t", testTool("look", "sky"))];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const run = await runToEnd(document, { registry, host, input: { message, ...input } });
  const sent = (model.requests[0]?.messages ?? []).slice(1).map(messageText);
  return { host, sent, ...run };
}

describe("window-memory", () => {
  it("remembers from run to run, in one session per workflow by default", async () => {
    const { host } = await chat("One");
    const second = await chat("Two", { host });
    expect(second.sent).toEqual(["One", "Re: One", "Two"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" }).map(messageText)).toEqual([
      "One",
      "Re: One",
      "Two",
      "Re: Two",
    ]);
    expect(second.of("memory-load")[0]).toMatchObject({ session: "w1:default", messages: 2 });
  });

  it("keeps sessions and workflows apart", async () => {
    const { host } = await chat("One", { input: { sessionId: "s" } });
    expect((await chat("Two", { host, input: { sessionId: "other" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { host, workflow: "w2", input: { sessionId: "s" } })).sent).toEqual(["Two"]);
    expect((await chat("Two", { host, input: { sessionId: "s" } })).sent).toEqual(["One", "Re: One", "Two"]);
  });

  it("shares sessions between workflows when the scope says so", async () => {
    const shared = { config: { scope: "all" }, input: { sessionId: "s" } };
    const { host } = await chat("One", shared);
    expect((await chat("Two", { ...shared, host, workflow: "w2" })).sent).toEqual(["One", "Re: One", "Two"]);
  });

  it("gives the last maxMessages and prunes the rest", async () => {
    const config = { maxMessages: 2 };
    const { host } = await chat("One", { config });
    await chat("Two", { host, config });
    expect((await chat("Three", { host, config })).sent).toEqual(["Two", "Re: Two", "Three"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(2);
  });

  it("keeps everything with retention all", async () => {
    const config = { maxMessages: 2, retention: "all" };
    const { host } = await chat("One", { config });
    await chat("Two", { host, config });
    expect((await chat("Three", { host, config })).sent).toEqual(["Two", "Re: Two", "Three"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(6);
  });

  it("forgets the session at the start of each run with clearOnRun", async () => {
    const config = { clearOnRun: true };
    const { host } = await chat("One", { config });
    expect((await chat("Two", { host, config })).sent).toEqual(["Two"]);
    expect(host.messages.messagesOf({ workflowId: "w1", sessionId: "w1:default" })).toHaveLength(2);
  });

  it("never starts inside a tool exchange", async () => {
    const script = [{ calls: [{ name: "look", arguments: {} }] }, { text: "Blue." }];
    const { host } = await chat("Colour?", { script, config: { maxMessages: 3, retention: "all" } });
    for (const maxMessages of [2, 3])
      expect((await chat("And?", { host, config: { maxMessages, retention: "all" } })).sent[0]).not.toBe("sky");
  });

  it("tells the log when the database is down, and the run goes on", async () => {
    const host = testHost({ messages: { ...memoryStore(), load: down, append: down } });
    const { end, of } = await chat("One", { host });
    expect(end).toMatchObject({ outcome: "completed", output: { response: "Re: One" } });
    expect(of("memory-error")).toMatchObject([
      { operation: "load", error: { code: "memory_error", nodeId: "memory" } },
      { operation: "save" },
    ]);
    expect(of("memory-error")[0]?.error.message).toContain("connection refused");
  });

  it("refuses a window outside its bounds", async () => {
    const { end } = await chat("One", { config: { maxMessages: 101 } });
    expect(end).toMatchObject({ outcome: "failed", error: { code: "invalid_config", nodeId: "memory" } });
  });
});

describe("wholeWindow", () => {
  const call: Message = {
    role: "assistant",
    parts: [{ type: "tool-call", callId: "1", toolName: "look", arguments: "{}" }],
  };
  const result: Message = { role: "tool", callId: "1", toolName: "look", ok: true, text: "sky" };

  it("drops calls and results at its beginning only", () => {
    const rest = [assistantMessage("Blue."), userMessage("And?"), call, result];
    expect(wholeWindow([result, ...rest])).toEqual(rest);
    expect(wholeWindow([call, result, ...rest])).toEqual(rest);
    expect(wholeWindow(rest)).toEqual(rest);
    expect(wholeWindow([result])).toEqual([]);
  });
});
