import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import type { ToolDefinition } from "../../engine/model/chat-model.ts";
import type { ToolMessage } from "../../engine/model/message.ts";

/** What the tour does next: calls a tool, or says something. */
export type TourStep = { call: { toolName: string; input: JsonObject } } | { say: string };

const ending =
  "This was a scripted tour: the demo model looks for single words and does not understand language. Choose **Use a real model** below, and the assistant builds what you describe.";

/** A tool of the first agent, for descriptions with one of these words. */
interface FirstTool {
  node: string;
  words: RegExp;
  /** What it does, in a sentence about the agent. */
  does: string;
  add: JsonObject;
}

const calculator: FirstTool = {
  node: "calculator",
  words: /\b(?:calculat\w*|math\w*|arithmetic|sums?|percent\w*|prices?|discounts?|numbers?|costs?|invoices?)\b/i,
  does: "calculates",
  add: { type: "calculator-tool", title: "Calculator" },
};

const webReader: FirstTool = {
  node: "web",
  words: /\b(?:web\w*|sites?|pages?|urls?|links?|internet|online|api|news|weather)\b/i,
  does: "reads web addresses",
  add: {
    type: "http-request-tool",
    title: "Read a page",
    config: {
      toolName: "read_page",
      toolDescription: "Reads a web address and gives back its status and text.",
      method: "GET",
      url: '{{ai("url", "the address to read", "string")}}',
    },
  },
};

/** The tools that a description asks for by its words; a calculator where it names none. */
function toolsFor(description: string): FirstTool[] {
  const wanted = [calculator, webReader].filter(({ words }) => words.test(description));
  return wanted.length > 0 ? wanted : [calculator];
}

/** An agent with the description as its instructions and the tools that fit: the shortest workflow with every kind of port. */
function firstAgent(description: string): JsonObject[] {
  const tools = toolsFor(description);
  // Braces would be taken for a template.
  const task = description.replaceAll(/[{}]/g, "").slice(0, 2_000);
  return [
    { op: "add", node: "chat", type: "chat-trigger", title: "Chat message" },
    {
      op: "add",
      node: "agent",
      type: "ai-agent",
      title: "Helper",
      config: { systemPrompt: `Your task: ${task}` },
    },
    { op: "add", node: "model", type: "demo-model", title: "Demo model" },
    { op: "add", node: "memory", type: "window-memory", title: "Window memory" },
    ...tools.map(({ node, add }) => ({ op: "add", node, ...add })),
    { op: "connect", wire: "chat.main>agent.main" },
    { op: "connect", wire: "model.model>agent.model" },
    { op: "connect", wire: "memory.memory>agent.memory" },
    ...tools.map(({ node }) => ({ op: "connect", wire: `${node}.tool>agent.tools` })),
  ];
}

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
  if (last.toolName === "edit_workflow" && last.ok) {
    const isNew = results.some(({ toolName, text }) => toolName === "read_workflow" && isEmpty(read(text)));
    const what = isNew
      ? `This is an agent with your description as its instructions. It remembers the conversation and ${toolsFor(
          question,
        )
          .map(({ does }) => does)
          .join(" and ")}. `
      : "This is my proposal. ";
    return { say: `${what}Look at it on the canvas, then accept or reject each change.\n\n${ending}` };
  }
  return { say: `That did not work: ${last.text.slice(0, 300)}\n\n${ending}` };
}

function afterReading(question: string, graph: Json): TourStep {
  const nodes = isJsonObject(graph) && isJsonObject(graph["nodes"]) ? graph["nodes"] : {};
  const entries = Object.entries(nodes);
  const typeOf = (node: Json) => (isJsonObject(node) ? String(node["type"]) : "");
  const titleOf = (node: Json) => (isJsonObject(node) ? String(node["title"]) : "");
  if (entries.length === 0) return { call: { toolName: "edit_workflow", input: { edits: firstAgent(question) } } };
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

function isEmpty(graph: Json): boolean {
  return isJsonObject(graph) && isJsonObject(graph["nodes"]) && Object.keys(graph["nodes"]).length === 0;
}

/** A tool's answer as data; null for what is cut or no JSON. */
function read(text: string): Json {
  return parseJson(text) ?? null;
}
