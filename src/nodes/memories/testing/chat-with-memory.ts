import type { AnyNodeDefinition } from "../../../engine/document/define-node.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { messageText } from "../../../engine/model/message.ts";
import { buildWorkflow } from "../../../engine/testing/build-workflow.ts";
import { testTool } from "../../../engine/testing/run-scripted-agent.ts";
import { runToEnd } from "../../../engine/testing/run-to-end.ts";
import { startNode } from "../../../engine/testing/sample-nodes.ts";
import { type Script, scriptedModel } from "../../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../../engine/testing/service-node.ts";
import { testHost, type TestHost } from "../../../engine/testing/test-host.ts";
import { aiAgent } from "../../agent/ai-agent.ts";

export interface Chat {
  host?: TestHost;
  /** Of the memory node. */
  config?: JsonObject;
  /** Of the agent. */
  agent?: JsonObject;
  workflow?: string;
  input?: JsonObject;
  /** What the model answers; "Re: <message>" when absent. */
  script?: Script;
  signal?: AbortSignal;
}

/** One run of a workflow with an agent and this memory; `sent` is what the model was sent after the system prompt. */
export async function chatWithMemory(memory: AnyNodeDefinition, message: string, chat: Chat = {}) {
  const { host = testHost(), config = {}, agent = {}, workflow = "w1", input, script, signal } = chat;
  const model = scriptedModel(script ?? [{ text: `Re: ${message}` }]);
  const document = buildWorkflow({
    id: workflow,
    nodes: { start: ["start"], agent: ["ai-agent", agent], model: ["m"], memory: [memory.type, config], tool: ["t"] },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "memory.memory -> agent.memory",
      "tool.tool -> agent.tools",
    ],
  });
  const nodes = [startNode, aiAgent, modelNodeOf("m", model), memory, toolNodeOf("t", testTool("look", "sky"))];
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const run = await runToEnd(document, { registry, host, input: { message, ...input }, ...(signal ? { signal } : {}) });
  const sent = (model.requests[0]?.messages ?? []).slice(1).map(messageText);
  return { host, sent, requests: model.requests, ...run };
}
