import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import type { ToolDefinition } from "../../engine/model/chat-model.ts";
import type { ToolMessage } from "../../engine/model/message.ts";

/** What the tour does next: calls a tool, or says something. */
export type TourStep = { call: { toolName: string; input: JsonObject } } | { say: string };

const ending =
  "This was a scripted tour: the demo model follows simple rules and does not understand language. Choose **Use a real model** below, and the assistant builds what you describe.";

/** An agent that calculates, the shortest workflow that shows every kind of port. */
const firstAgent: JsonObject[] = [
  { op: "add", node: "chat", type: "chat-trigger", title: "Chat message" },
  {
    op: "add",
    node: "agent",
    type: "ai-agent",
    title: "Helper",
    config: { systemPrompt: "You are a helpful assistant. Use the calculator for every calculation." },
  },
  { op: "add", node: "model", type: "demo-model", title: "Demo model" },
  { op: "add", node: "memory", type: "window-memory", title: "Window memory" },
  { op: "add", node: "calculator", type: "calculator-tool", title: "Calculator" },
  { op: "connect", wire: "chat.main>agent.main" },
  { op: "connect", wire: "model.model>agent.model" },
  { op: "connect", wire: "memory.memory>agent.memory" },
  { op: "connect", wire: "calculator.tool>agent.tools" },
];

/** Where the cause of an error lies, as far as its code says it. */
const causes: Readonly<Record<string, string>> = {
  invalid_config: "configuration",
  expression_error: "configuration",
  context_length: "configuration",
  budget: "configuration",
  missing_connection: "graph",
  invalid_credentials: "credential",
  rate_limit: "provider",
  model_error: "provider",
  invalid_arguments: "model-behaviour",
  content_filter: "model-behaviour",
};

/** Whether these are the tools of the assistant. */
export function isStudio(tools: readonly ToolDefinition[]): boolean {
  return ["read_workflow", "edit_workflow", "give_verdict"].every((name) => tools.some((tool) => tool.name === name));
}

/** What the demo model does as the assistant: shows what a real model would do, by rules, and says so. */
export function studioTour(question: string, results: readonly ToolMessage[]): TourStep {
  const run =
    /\b[0-9a-f]{8}-[0-9a-f-]{27}\b/.exec(question)?.[0] ?? (/\bthis run\b/i.test(question) ? "this" : undefined);
  if (run !== undefined) return explainRun(run, results);
  const last = results.at(-1);
  if (last === undefined) return { call: { toolName: "read_workflow", input: {} } };
  if (last.toolName === "read_workflow") return afterReading(question, read(last.text));
  if (last.toolName === "edit_workflow" && last.ok)
    return {
      say: `This is my proposal. Look at it on the canvas, then accept or reject each change.\n\n${ending}`,
    };
  return { say: `That did not work: ${last.text.slice(0, 300)}\n\n${ending}` };
}

function afterReading(question: string, graph: Json): TourStep {
  const nodes = isJsonObject(graph) && isJsonObject(graph["nodes"]) ? graph["nodes"] : {};
  const entries = Object.entries(nodes);
  const typeOf = (node: Json) => (isJsonObject(node) ? String(node["type"]) : "");
  const titleOf = (node: Json) => (isJsonObject(node) ? String(node["title"]) : "");
  if (entries.length === 0) return { call: { toolName: "edit_workflow", input: { edits: firstAgent } } };
  const agent = entries.find(([, node]) => typeOf(node) === "ai-agent");
  if (/^Improve the prompts\b/.test(question) && agent) return { call: politer(agent) };
  const calculates = entries.some(([, node]) => typeOf(node) === "calculator-tool");
  if (/\b(?:build|add|make|create)\b/i.test(question) && agent && !calculates) {
    const edits: JsonObject[] = [
      { op: "add", node: "calculator", type: "calculator-tool", title: "Calculator" },
      { op: "connect", wire: `calculator.tool>${agent[0]}.tools` },
    ];
    return { call: { toolName: "edit_workflow", input: { edits } } };
  }
  const list = entries.map(([, node]) => `- ${titleOf(node)} (${typeOf(node)})`).join("\n");
  return { say: `The workflow has ${entries.length} node${entries.length === 1 ? "" : "s"}:\n\n${list}\n\n${ending}` };
}

/** A change of the prompt that shows how one is measured; it helps only by chance. */
function politer([name, node]: [string, Json]): { toolName: string; input: JsonObject } {
  const config = isJsonObject(node) && isJsonObject(node["config"]) ? node["config"] : {};
  const before =
    typeof config["systemPrompt"] === "string" ? config["systemPrompt"] : "You are a helpful AI assistant.";
  const edits = [{ op: "set", node: name, config: { systemPrompt: `${before} Be polite.` } }];
  return { toolName: "edit_workflow", input: { edits } };
}

function explainRun(run: string, results: readonly ToolMessage[]): TourStep {
  const last = results.at(-1);
  if (last === undefined) return { call: { toolName: "read_run", input: { run } } };
  if (last.toolName === "give_verdict") return afterVerdict(results);
  if (last.toolName === "edit_workflow" && last.ok)
    return {
      say: `The cause stands above, with the steps that show it. I propose resetting the setting to its default; the change is tried on the recorded run.\n\n${ending}`,
    };
  const outline = read(last.text);
  if (last.toolName !== "read_run" || !last.ok || !isJsonObject(outline))
    return { say: `I could not read the run: ${last.text.slice(0, 300)}\n\n${ending}` };
  const steps = (Array.isArray(outline["steps"]) ? outline["steps"] : []).filter(isJsonObject);
  const failed = steps.find((step) => step["code"] !== undefined || step["ok"] === false) ?? steps.at(-1);
  const failure = isJsonObject(outline["error"]) ? outline["error"] : failed;
  const verdict =
    failure?.["code"] === undefined ? "nothing-to-fix" : (causes[String(failure["code"])] ?? "configuration");
  const explanation = [failure?.["message"], failure?.["hint"]].filter((text) => typeof text === "string").join(" ");
  return {
    call: {
      toolName: "give_verdict",
      input: {
        run,
        verdict,
        explanation: explanation || "The run has no error.",
        steps: [Number(failed?.["step"] ?? 0)],
      },
    },
  };
}

/** A template that names what is not there is put back to the setting's default; other causes are only explained. */
function afterVerdict(results: readonly ToolMessage[]): TourStep {
  const outline = read(results.find(({ toolName }) => toolName === "read_run")?.text ?? "");
  const steps = isJsonObject(outline) && Array.isArray(outline["steps"]) ? outline["steps"].filter(isJsonObject) : [];
  const failed = steps.find((step) => step["code"] === "expression_error");
  const label = /, field "([^"]+)"/.exec(String(failed?.["message"] ?? ""))?.[1];
  if (failed === undefined || label === undefined)
    return { say: `The cause stands above, with the steps that show it.\n\n${ending}` };
  const field = label.toLowerCase().replace(/ (\w)/g, (_space, letter: string) => letter.toUpperCase());
  const edits = [{ op: "set", node: String(failed["node"]), config: { [field]: null } }];
  return { call: { toolName: "edit_workflow", input: { edits } } };
}

/** A tool's answer as data; null for what is cut or no JSON. */
function read(text: string): Json {
  return parseJson(text) ?? null;
}
