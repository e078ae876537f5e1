import type { NodeRecord } from "../engine/document/workflow-document.ts";
import { isJsonObject, type JsonObject } from "../engine/json.ts";
import type { AgentCode } from "./export-target.ts";
import { configOf, type ExportWork, placeOf, servantsOf } from "./exported-node.ts";
import { modelCode } from "./model-code.ts";
import { mcpCode, toolCode } from "./tool-code.ts";
import { textCode } from "./template-code.ts";

const usualMessage = "{{json.message}}";

/** An agent node as a function of the program. */
export function agentCode(work: ExportWork, node: NodeRecord): string {
  const config = configOf(work, node);
  const place = placeOf(work, node);
  const { file, target } = work;
  const name = work.functions.get(node.id) ?? file.name(node.title);
  const served = servantsOf(work, node.id, "tools");
  const servers = served.filter(({ type }) => type === "mcp-tool");
  const tools = served.filter(({ type }) => type !== "mcp-tool");
  const [model] = servantsOf(work, node.id, "model");
  noteLeftOut(work, node, config);
  const memory = memoryOf(work, node, config);
  const agent: AgentCode = {
    name,
    title: node.title,
    instructions: textCode(textOf(config.systemPrompt), place),
    message: messageCode(work, node, textOf(config.userMessage)),
    model: model
      ? modelCode(model, configOf(work, model), file, target)
      : { code: `${file.helper("notCarried")}(${JSON.stringify(`The model of “${node.title}”`)})`, settings: {} },
    fallbacks: servantsOf(work, node.id, "fallback").map((one) => modelCode(one, configOf(work, one), file, target)),
    ...(typeof config.maxTotalTokens === "number" ? { mostTokens: config.maxTotalTokens } : {}),
    tools: tools.map((tool) => toolCode(work, tool)),
    servers: servers.map((server) => mcpCode(work, server)),
    toolChoice: config.toolChoice === "required" || config.toolChoice === "none" ? config.toolChoice : "auto",
    maxIterations: typeof config.maxIterations === "number" ? config.maxIterations : 10,
    timeoutMs: typeof config.timeoutMs === "number" ? config.timeoutMs : 300_000,
    outputSchema:
      config.outputFormat === "json" ? (isJsonObject(config.outputSchema) ? config.outputSchema : {}) : null,
    ...(memory ? { memory } : {}),
  };
  return target.agent(agent, file);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Left as it is, the message is another agent's response where there is no message. */
function messageCode(work: ExportWork, node: NodeRecord, source: string): string {
  if (source.trim() !== usualMessage) return textCode(source, placeOf(work, node));
  return `${work.file.helper("text")}(json?.message ?? json?.response)`;
}

function memoryOf(work: ExportWork, node: NodeRecord, config: JsonObject): AgentCode["memory"] {
  const [memory] = servantsOf(work, node.id, "memory");
  if (memory === undefined) return undefined;
  const { file } = work;
  const kept = configOf(work, memory);
  const how = memory.type === "window-memory" ? "" : ", as its last messages";
  file.note(`Conversations are kept in this process${how}, not in a database, and without tool calls.`, memory.title);
  const session = textOf(config.sessionId).trim() === "" ? textOf(kept.sessionId) : textOf(config.sessionId);
  const place = placeOf(work, memory);
  const fallback = JSON.stringify("default");
  return {
    session: session.trim() === "" ? fallback : `${textCode(session, place)} || ${fallback}`,
    messages: typeof kept.maxMessages === "number" ? kept.maxMessages : 20,
  };
}

/** Settings of the loop that neither target has. */
function noteLeftOut(work: ExportWork, node: NodeRecord, config: JsonObject): void {
  const { file, target } = work;
  const left = [
    config.planning === true ? "planning" : "",
    config.reflection === true ? "reflection" : "",
    config.autoIterate === true ? "several rounds" : "",
    config.scratchpad === true ? "the scratchpad" : "",
    config.extractValues === true ? "extracting values" : "",
    typeof config.maxTotalTokens === "number" && !target.countsTokens ? "the token budget" : "",
    typeof config.maxCostUsd === "number" ? "the cost budget (the program does not know prices)" : "",
    config.onError === "retry" || config.onError === "continue" ? `“On error: ${config.onError}”` : "",
    config.outputFormat === "full" || config.returnIntermediateSteps === true ? "the steps in the output" : "",
  ].filter((one) => one !== "");
  if (left.length > 0) file.note(`Left out: ${left.join(", ")}.`, node.title);
}
