import { optionalPath } from "../flow/bench.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { combined, comparison, countsAsFalse, fixed } from "../flow/comparisons.ts";
import type { FlowNode } from "../flow/flow-graph.ts";
import { placeholder, type Made } from "../flow/made.ts";
import { knowledgeStep } from "../flow/plain-tools.ts";
import { firstThatHolds, switches } from "../flow/ways.ts";
import { isFunctionBody, missingIn } from "../n8n/code-shims.ts";
import { toolName } from "../tool-name.ts";
import { withState, toolStep } from "./agentflow-nodes.ts";
import { modelOf } from "./read-model.ts";
import { listOf, objectOf, parsed, textOf } from "./read-flowise.ts";
import { FlowiseWork } from "./references.ts";

const handleName = (handle: string) => /-input-([^-]+)-/.exec(handle)?.[1] ?? handle;

/** The ports of an agent by the names that Flowise gives its inputs. */
function agentInput(handle: string): string | undefined {
  const name = handleName(handle);
  if (name === "main" || name === "sequentialNode") return "main";
  if (/model$|^llm$/i.test(name)) return "model";
  if (/memory$/i.test(name)) return "memory";
  if (/tools?$|retriever$|knowledge|document|index|vectorStore/i.test(name)) return "tools";
  return undefined;
}

/** Another node that is wired to an input of this one. */
function wired(work: FlowiseWork, input: string): FlowNode[] {
  const { graph, nodes } = work.bench;
  return graph.edges
    .filter(({ to, toHandle }) => to === work.node.id && handleName(toHandle) === input)
    .flatMap(({ from }) => nodes.get(from) ?? []);
}

export function model(work: FlowiseWork): Made {
  const made = modelOf(work.node.type, work.inputs);
  return {
    step: { type: made.service.type, config: made.service.config },
    output: () => "model",
    input: () => undefined,
    needs: "a credential for the model",
    note: made.note,
  };
}

export function memory(work: FlowiseWork): Made {
  const { type } = work.node;
  const size = Number(work.inputs.k) || 10;
  const given = textOf(work.inputs.sessionId);
  const session: JsonObject = given === "" ? {} : { sessionId: work.text(given) };
  const made = (name: string, config: JsonObject, note = ""): Made => ({
    step: { type: name, config: { ...config, ...session } },
    output: () => "memory",
    input: () => undefined,
    ...(note === "" ? {} : { outcome: "approximated", note }),
  });
  if (/summary/i.test(type)) return made("summary-memory", {});
  if (/redis/i.test(type)) return { ...made("redis-memory", {}), needs: "a Redis credential" };
  if (/window/i.test(type))
    return made("window-memory", { maxMessages: Math.min(100, Math.max(1, Math.round(size * 2))) });
  if (type === "bufferMemory") return made("buffer-memory", { storage: "postgres" });
  const where = "Conversations are kept in the studio's database; earlier ones do not come along.";
  return made("window-memory", { maxMessages: 100 }, type === "agentMemory" ? "" : where);
}

export function tool(work: FlowiseWork): Made {
  const { node, inputs } = work;
  const made = toolStep(node.type, inputs, node.name);
  return {
    step: made.step,
    output: () => "tool",
    input: () => undefined,
    outcome: made.placeholder ? "placeholder" : (made.outcome ?? "mapped"),
    note: made.note ?? "",
    ...(made.needs === undefined ? {} : { needs: made.needs }),
  };
}

/** A store of documents; the words of the tool that a retriever gave it stay. */
export function knowledge(work: FlowiseWork): Made {
  const { graph, nodes } = work.bench;
  const reader = graph.edges
    .filter(({ from }) => from === work.node.id)
    .flatMap(({ to }) => nodes.get(to) ?? [])
    .find(({ type }) => type === "retrieverTool" || type === "queryEngine" || type === "queryEngineToolLlamaIndex");
  const words = objectOf(reader?.data.inputs);
  const top = Number(work.inputs.topK);
  const shown = textOf(words.name) || textOf(words.toolName) || work.node.name;
  return {
    step: knowledgeStep(shown, textOf(words.description) || textOf(words.toolDesc), top >= 1 ? top : undefined),
    output: () => "tool",
    input: () => undefined,
    outcome: "approximated",
    note: "Make a collection on the Knowledge page, add the documents again, and choose it here.",
  };
}

const parts: Readonly<Record<string, string>> = {
  Embeddings: "A collection of the Knowledge page has its own embeddings.",
  "Text Splitters": "A collection of the Knowledge page cuts documents itself.",
  "Document Loaders": "Put the documents into a collection on the Knowledge page.",
  Prompts: "Became the prompt of the agent.",
  "Output Parsers": "Became the output format of the agent.",
  Retrievers: "The agent searches the collection with its tool.",
  Moderation: "Put a guardrails node in front of the agent.",
  Cache: "Answers are not kept for equal questions.",
  "Response Synthesizer": "The agent answers from the passages itself.",
  Tools: "Became the words of the knowledge tool.",
  "Sequential Agents": "The first values stand where the state is read.",
};

/** What goes into the settings of another node. */
export function part({ node }: FlowiseWork): Made {
  const category = textOf(node.data.category);
  const note = Object.hasOwn(parts, category) ? parts[category] : undefined;
  const kept = ["Prompts", "Output Parsers", "Tools"].includes(category);
  return { outcome: kept ? "mapped" : "approximated", note: note ?? "Nothing here needs it." };
}

/** The output format that a parser asks for. */
function format(work: FlowiseWork): JsonObject {
  const [parser] = wired(work, "outputParser");
  if (!parser) return {};
  const inputs = objectOf(parser.data.inputs);
  const fields = listOf(inputs.jsonStructure);
  if (parser.type === "csvOutputParser" || parser.type === "customListOutputParser")
    return { outputFormat: "json", outputSchema: { type: "array", items: { type: "string" } } };
  if (fields.length === 0) return { outputFormat: "json" };
  const properties = fields.map((one): [string, JsonObject] => [
    textOf(one.property),
    {
      type: one.type === "number" || one.type === "boolean" ? one.type : "string",
      ...(one.description ? { description: textOf(one.description) } : {}),
    },
  ]);
  return { outputFormat: "json", outputSchema: { type: "object", properties: Object.fromEntries(properties) } };
}

/** The prompt of a chain: its template, or that of the node which is wired to it. */
function prompts(work: FlowiseWork): { systemPrompt: string; userMessage: string } {
  const { inputs } = work;
  const [template] = [...wired(work, "prompt"), ...wired(work, "chatPromptTemplate")];
  const given = objectOf(template?.data.inputs);
  const values = valuesOf(given.promptValues ?? inputs.promptValues);
  const system =
    textOf(inputs.systemMessage) ||
    textOf(inputs.systemMessagePrompt) ||
    textOf(inputs.responsePrompt) ||
    textOf(inputs.instructions);
  const human = textOf(given.template) || textOf(given.humanMessagePrompt) || textOf(inputs.humanMessagePrompt);
  const instructions = [textOf(given.systemMessagePrompt), system].filter(Boolean).join("\n\n");
  return {
    systemPrompt: work.prompt(instructions, values),
    userMessage: human === "" ? `{{${work.message()}}}` : work.prompt(human, values),
  };
}

const valuesOf = (raw: Json | undefined): JsonObject => {
  const value = parsed(raw);
  return isJsonObject(value) ? value : {};
};

export function chain(work: FlowiseWork): Made {
  const { inputs, node } = work;
  const retrieves = [...wired(work, "vectorStoreRetriever"), ...wired(work, "baseRetriever")].length > 0;
  const most = Number(inputs.maxIterations);
  const hasModel = work.bench.graph.edges.some(
    ({ to, toHandle }) => to === node.id && agentInput(toHandle) === "model",
  );
  const odd = /csv|sql|api|openApi|airtable|graphCypher|vectara|babyagi|autogpt|assistant/i.test(node.type);
  return {
    step: {
      type: "ai-agent",
      config: {
        ...prompts(work),
        ...format(work),
        ...(most >= 1 ? { maxIterations: Math.min(50, Math.round(most)) } : {}),
        ...(retrieves ? { toolChoice: "required" } : {}),
      },
    },
    ...(hasModel
      ? {}
      : {
          services: [modelOf("chatOpenAI", {}).service],
          needs: "a credential for the model",
        }),
    input: agentInput,
    output: (handle) => (handle === "tool" || /BaseQueryEngine|\bTool\b/.test(handle) ? "tool" : "main"),
    ...(retrieves
      ? { outcome: "approximated", note: "Searches the knowledge base with a tool." }
      : odd
        ? { outcome: "approximated", note: `Was ${node.type}: an agent that needs the tools for it.` }
        : {}),
  };
}

/** A member of a team or of a sequence. */
export function member(work: FlowiseWork): Made {
  const { inputs, node } = work;
  const values = valuesOf(inputs.promptValues);
  const instructions =
    textOf(inputs.systemMessagePrompt) || textOf(inputs.workerPrompt) || textOf(inputs.supervisorPrompt);
  const human = textOf(inputs.humanMessagePrompt);
  const isWorker = node.type === "worker";
  const team = work.bench.graph.nodes.filter(({ type }) => type === "worker").map(({ name }) => name);
  const shape = listOf(inputs.llmStructuredOutput).map((one): [string, JsonObject] => [
    textOf(one.key),
    { type: one.type === "Number" ? "number" : one.type === "Boolean" ? "boolean" : "string" },
  ]);
  const asks = inputs.interrupt === true;
  const answers = work.earlier.filter(({ type }) => type === "seqAgent" || type === "seqLLMNode").toReversed();
  const said = answers.map(
    ({ id }) => `{{${optionalPath("nodes", [work.bench.names.get(id)?.slug ?? "", "response"])}.orValue(null)}}`,
  );
  return withState(work, {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: work.prompt(instructions.replaceAll("{team_members}", team.join(", ")), values),
        userMessage: isWorker
          ? "{{json.message}}"
          : human === ""
            ? [`{{${work.message()}}}`, ...said].join("\n\n")
            : work.prompt(human, values),
        ...(shape.length > 0
          ? { outputFormat: "json", outputSchema: { type: "object", properties: Object.fromEntries(shape) } }
          : {}),
        ...(isWorker
          ? { toolName: toolName(node.name), toolDescription: `Asks the ${node.name}. Give it one complete task.` }
          : {}),
      },
    },
    input: agentInput,
    output: (handle) => (handle === "tool" ? "tool" : "main"),
    ...(isWorker || node.type === "supervisor"
      ? {
          outcome: "approximated",
          note: isWorker ? "Became an agent that the supervisor calls as a tool." : "Calls its workers as tools.",
        }
      : asks
        ? { outcome: "approximated", note: "Let its tools ask for approval where a person has to agree." }
        : {}),
  });
}

/** Tools that were run in a step of their own are called by the agent before. */
export const toolNode = (): Made => ({
  step: { type: "set-fields", config: { fields: {}, keepInput: true } },
  input: (handle) => (handleName(handle) === "tools" ? undefined : "main"),
  outcome: "approximated",
  note: "An agent calls its tools itself: wire them to the agent before.",
});

export const end = (): Made => ({ step: { type: "set-fields", config: { fields: {}, keepInput: true } } });

const outputName = (handle: string) => /-output-([^-]+)-/.exec(handle)?.[1]?.trim() ?? handle;

/** Conditions over the state, each with an output of its own name; `End` is for the rest. */
export function condition(work: FlowiseWork): Made {
  const list = listOf(work.inputs.conditionUI);
  if (list.length === 0) {
    const instead = "Its condition is code: write it as an If or a Switch. The source is kept.";
    return { ...placeholder("condition", work.inputs, instead), output: () => "main" };
  }
  const odd = new Set<string>();
  const tests = list.map((one) => {
    const operator = textOf(one.operation);
    const code = comparison({ code: work.value(`{{${textOf(one.variable)}}}`) }, operator, fixed(textOf(one.value)));
    if (code === undefined) odd.add(operator || "no comparison");
    return combined([code ?? "false"], false);
  });
  const ways = firstThatHolds(work.node.name, tests, (handle) =>
    list.findIndex((one) => same(textOf(one.output), outputName(handle))),
  );
  return { ...ways, ...countsAsFalse(odd) };
}

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** An agent that chooses the way: by the words of its outputs. */
export function conditionAgent(work: FlowiseWork): Made {
  const { inputs, node, bench } = work;
  const handles = bench.graph.edges
    .filter(({ from }) => from === node.id)
    .map(({ fromHandle }) => outputName(fromHandle));
  const names = [...new Set([...listOf(inputs.conditionUI).map((one) => textOf(one.output)), ...handles])].filter(
    Boolean,
  );
  const ways = switches(`Ways of ${node.name}`, "{{json.?response.?way.orValue(null)}}", names, 1);
  const values = valuesOf(inputs.promptValues);
  const made = member(work);
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt:
          `${work.prompt(inputs.systemMessagePrompt, values)}\n\nChoose the way to go on, by its exact name:\n${names.map((one) => `- ${one}`).join("\n")}`.trim(),
        userMessage: made.step?.config.userMessage ?? `{{${work.message()}}}`,
        outputFormat: "json",
        outputSchema: { type: "object", properties: { way: { type: "string", enum: names } }, required: ["way"] },
      },
    },
    behind: ways.steps,
    input: agentInput,
    output: (handle) => ways.port(names.findIndex((one) => same(one, outputName(handle)))),
    outcome: "approximated",
    note: "Became an agent that names the way, and a switch that takes it.",
  };
}

/** JavaScript that decides between two outputs. */
export function ifElse(work: FlowiseWork): Made {
  const { inputs } = work;
  const source = textOf(inputs.ifFunction);
  if (missingIn(source).length > 0 || !isFunctionBody(source)) {
    return {
      ...placeholder("if else function", inputs, "Write its condition as an If node. The source is kept."),
      output: () => "main",
    };
  }
  const variables = valuesOf(inputs.functionInputVariables);
  const given = Object.entries(variables)
    .filter(([name]) => /^\w{1,60}$/.test(name))
    .map(([name, value]) => [`$${name}`, `{{${work.value(textOf(value))}}}`]);
  const code = `const result = (() => {\n${source}\n})();\nreturn { holds: Boolean(result), output: result };`;
  return {
    step: { type: "code", config: { code, inputs: Object.fromEntries(given) } },
    behind: [{ type: "if", title: `${work.node.name} holds?`, config: { condition: "{{json.holds}}" } }],
    output: (handle) => [/returnTrue|true/i.test(handle) ? "true" : "false", 1],
    outcome: "approximated",
    note: "The code of its else part is not run.",
  };
}
