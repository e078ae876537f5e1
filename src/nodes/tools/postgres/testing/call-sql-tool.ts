import type { AnyNodeDefinition } from "../../../../engine/document/define-node.ts";
import type { Json, JsonObject } from "../../../../engine/json.ts";
import { messageText } from "../../../../engine/model/message.ts";
import { buildWorkflow } from "../../../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../../../engine/testing/run-to-end.ts";
import { startNode } from "../../../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../../../engine/testing/service-node.ts";
import type { TestHost } from "../../../../engine/testing/test-host.ts";
import { aiAgent } from "../../../agent/ai-agent.ts";

/** One agent with one tool, whose model makes these calls one after the other and then answers. */
interface ToolCallSketch {
  host: TestHost;
  node: AnyNodeDefinition;
  config?: JsonObject;
  calls: JsonObject[];
  /** What the run starts with. */
  input?: JsonObject;
}

/** Runs the agent; gives what the model was offered and read, and all events. */
export async function callSqlTool({ host, node, config = {}, calls, input = {} }: ToolCallSketch) {
  const toolConfig = { credential: "c", ...config };
  const name = node.type.replace(/^(postgres)-(\w+)-tool$/, "$1_$2");
  const script = [...calls.map((args) => ({ calls: [{ name, arguments: args }] })), { text: "Done." }];
  const model = scriptedModel(script);
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], tool: [node.type, toolConfig, "Orders"] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  const registry = Object.fromEntries(
    [startNode, aiAgent, modelNodeOf("m", model), node].map((definition) => [definition.type, definition]),
  );
  const run = await runToEnd(document, { registry, host, input: { message: "Hi", ...input } });
  const read = (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? [messageText(message)] : [],
  );
  const results: Json[] = run.of("tool-call-end").map((event) => event.output);
  return { ...run, offered: model.requests[0]?.tools[0], read, results };
}
