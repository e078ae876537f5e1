import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import { type Bench, literal, plainText } from "../flow/bench.ts";
import { comparison, fixed, type Operand } from "../flow/comparisons.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "../flow/flow-graph.ts";
import { methodProblem } from "../http-method.ts";
import { placeholder, placeholderTool, type Made } from "../flow/made.ts";
import { modelService } from "../flow/models.ts";
import { knowledgeStep, knownTool } from "../flow/plain-tools.ts";
import { webService } from "../flow/web-services.ts";
import { toolName } from "../tool-name.ts";
import { apifyActor } from "./apify-actor.ts";
import { objectOf, readLangflow, textOf } from "./read-langflow.ts";
import { saveToFile } from "./save-to-file.ts";
import {
  isEmbedding,
  isListLoop,
  isModel,
  isPassing,
  isSmart,
  isStore,
  LangflowWork,
  loopItem,
  modelOutput,
  webName,
} from "./work.ts";

const set = (fields: JsonObject): Made => ({ step: { type: "set-fields", config: { fields, keepInput: false } } });

/** The ports of an agent by the names of Langflow's fields. */
function agentInput(field: string): string | undefined {
  if (/^tools?$/.test(field)) return "tools";
  if (/^(llm|model|agent_llm|language_model)$/.test(field)) return "model";
  return field.endsWith("memory") ? "memory" : "main";
}

function asked(work: LangflowWork, vendor: string, model: string): Made {
  const { data } = work.node;
  const given = work.wired("model").length + work.wired("llm").length + work.wired("agent_llm").length > 0;
  const { service, note } = modelService({ vendor, model, parameters: data });
  const most = Number(data.max_iterations);
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: work.text(data.system_message === undefined ? "system_prompt" : "system_message"),
        userMessage: work.text("input_value") || work.message(),
        ...(most >= 1 ? { maxIterations: Math.min(50, Math.round(most)) } : {}),
        ...(work.isTool ? { toolName: toolName(work.node.name), userMessage: "{{json.message}}" } : {}),
      },
    },
    ...(given ? {} : { services: [service], needs: "a credential for the model", note }),
    input: agentInput,
    output: () => (work.isTool ? "tool" : "main"),
  };
}

/** The vendor and the model of a component: its own fields, or its type. */
function modelWords({ type, data }: FlowNode): { vendor: string; model: string } {
  const [chosen] = Array.isArray(data.model) ? data.model : [];
  const inner = objectOf(chosen);
  const vendor = textOf(inner.provider) || textOf(data.provider) || textOf(data.agent_llm) || type;
  return { vendor, model: textOf(inner.name) || textOf(data.model_name) || textOf(data.model) };
}

function modelOnly(work: LangflowWork): Made {
  const { vendor, model } = modelWords(work.node);
  const { service, note } = modelService({ vendor, model, parameters: work.node.data });
  return {
    step: { type: service.type, config: service.config },
    output: () => "model",
    input: () => undefined,
    needs: "a credential for the model",
    note,
  };
}

function tool(work: LangflowWork): Made {
  const { type, name, data } = work.node;
  if (type.startsWith("MCP")) {
    return {
      step: {
        type: "mcp-tool",
        config: { url: textOf(data.sse_url) || textOf(data.url), serverName: toolName(name).slice(0, 30) },
      },
      output: () => "tool",
      input: () => undefined,
      outcome: "approximated",
      note: "Enter the address of a server that speaks Streamable HTTP, and approve its tools.",
    };
  }
  if (/^(RunFlow|SubFlow|FlowTool)/.test(type)) {
    const flow = textOf(data.flow_name_selected) || textOf(data.flow_name) || "the other flow";
    return {
      step: { type: "workflow-tool", config: { toolName: toolName(textOf(data.tool_name) || flow) } },
      output: () => "tool",
      input: () => undefined,
      outcome: "approximated",
      note: `Import “${flow}” as well, then choose it here.`,
    };
  }
  const known = knownTool(webName(type), name, textOf(data.tool_description));
  if (!known) {
    return {
      ...placeholderTool(type, toolName(name), data, "Use an HTTP request tool or a code tool."),
      input: () => undefined,
    };
  }
  return {
    step: known.step,
    output: () => "tool",
    input: () => undefined,
    ...(known.outcome === undefined ? {} : { outcome: known.outcome, note: known.note ?? "" }),
    ...(known.needs === undefined ? {} : { needs: known.needs }),
  };
}

function knowledge(work: LangflowWork): Made {
  const words = "Make a collection on the Knowledge page, add the documents again, and choose it";
  if (work.isTool) {
    return {
      step: knowledgeStep(work.node.name, "", undefined),
      output: () => "tool",
      input: () => undefined,
      outcome: "approximated",
      note: `${words} here.`,
    };
  }
  return {
    step: { type: "set-fields", config: { fields: {}, keepInput: true } },
    input: (field) => (/query|input|search/.test(field) ? "main" : undefined),
    outcome: "approximated",
    note: `${words} in a knowledge tool of the agent behind it.`,
  };
}

/** Documents that go into a collection, which cuts and embeds them itself. */
function ingestion(work: LangflowWork): Made {
  const cut = ["chunk_size", "column_config"].map((name) => ({
    name,
    outcome: "approximated" as const,
    note: `${JSON.stringify(work.node.data[name] ?? null)} (A collection cuts documents by its own settings.)`,
  }));
  return {
    settings: cut.filter(({ name }) => work.node.data[name] !== undefined),
    step: {
      type: "add-document",
      config: { content: work.text("input_df") || "{{json}}", name: work.node.name.slice(0, 150) },
    },
    input: (field) => (field === "input_df" ? "main" : undefined),
    outcome: "approximated",
    note: "Make a collection on the Knowledge page and choose it here. Each run replaces the document under this name.",
  };
}

function router(work: LangflowWork): Made {
  const { data } = work.node;
  const left: Operand = { code: work.cel("input_text") ?? literal(textOf(data.input_text)) };
  const operator = textOf(data.operator, "equals");
  // Patterns are matched as they are, from the beginning.
  const isPattern = operator === "regex";
  const lowers = data.case_sensitive === false && !isPattern;
  const lower = ({ code }: Operand): Operand => (lowers ? { code: `lower(text(${code}))` } : { code });
  const wanted = textOf(data.match_text);
  const given = isPattern && wanted !== "" ? `^(?:${wanted})` : lowers ? wanted.toLowerCase() : wanted;
  const cel = work.cel("match_text");
  const right = cel === undefined ? fixed(given) : lower({ code: cel });
  const test = comparison(lower(left), operator, right);
  return {
    step: { type: "if", config: { condition: `{{${test ?? "false"}}}` } },
    output: (handle) => (handle === "false_result" ? "false" : "true"),
    ...(test === undefined
      ? { outcome: "approximated", note: "Its operator is not known: write the condition anew." }
      : {}),
  };
}

/** A component that gives on what it gets, in a text of its own where it has one with a single name in braces. */
function passing(work: LangflowWork): Made {
  const { data } = work.node;
  const fields = ["data", "df", "input_data", "input_message", "message", "text1", "input_value"];
  const field = fields.find((one) => work.wired(one).length > 0);
  const texts = ["text1", "text2"].filter((one) => work.wired(one).length > 0).map((one) => work.text(one));
  if (texts.length > 1) return set({ text: texts.join(plainText(textOf(data.delimiter, "\n"))) });
  if (field === undefined) return set({ text: "" });
  const value = `{{text(${work.cel(field) ?? "null"})}}`;
  const pattern = textOf(data.pattern) || textOf(data.template);
  const parts = pattern.split(/\{[A-Za-z_]\w{0,60}\}/);
  if (parts.length < 2 || textOf(data.mode) === "Stringify") return set({ text: value });
  if (parts.length === 2) return set({ text: parts.map(plainText).join(value) });
  const names = [...pattern.matchAll(/\{([A-Za-z_]\w{0,60})\}/g)].map(([, name = ""]) => name);
  const read = (name: string) => `{{text(maybe(get(${work.cel(field) ?? "null"}, ${literal(name)})))}}`;
  return {
    ...set({ text: parts.map((part, index) => plainText(part) + (names[index] ? read(names[index]) : "")).join("") }),
    outcome: "approximated",
    note: "The fields of its template are read from what the component before it gives: check their names.",
  };
}

function listLoop(work: LangflowWork): Made {
  return {
    step: { type: "for-each", config: { items: `{{items(${work.cel("data") ?? "json"})}}`, concurrency: 1 } },
    output: (handle) => (handle === "item" ? "main" : "done"),
  };
}

/** An agent without tools does by its instructions what the component did by code that a model wrote. */
function smart(work: LangflowWork): Made {
  const { vendor, model } = modelWords(work.node);
  const made = asked(work, vendor, model);
  const data = work.cel("data") ?? "json";
  const wanted = work.text("filter_instruction") || work.text("instruction");
  if (!made.step) return made;
  return {
    ...made,
    step: {
      ...made.step,
      config: {
        ...made.step.config,
        systemPrompt: "Change the data as you are told. Answer with the changed data alone.",
        userMessage: `${wanted}\n\n{{toJson(${data})}}`,
      },
    },
    outcome: "approximated",
    note: [made.note ?? "", "A model changes the data here; a code node would do it for free."]
      .filter(Boolean)
      .join(" "),
  };
}

function request(work: LangflowWork): Made {
  const { data } = work.node;
  const method = textOf(data.method, "GET").toUpperCase();
  const url = work.text(data.url_input === undefined ? (data.urls === undefined ? "url" : "urls") : "url_input");
  const [first] = Array.isArray(data.urls) ? data.urls : [];
  const problem = methodProblem(method);
  if (problem !== undefined) return placeholder(work.node.type, data, problem);
  return {
    step: {
      type: "http-request",
      config: { url: url || textOf(first), method },
    },
    outcome: "approximated",
    note: "Look over its headers and its body.",
  };
}

function map(node: FlowNode, bench: Bench): Made {
  const work = new LangflowWork(node, bench);
  const { type, data } = node;
  if (type === "note") {
    const text = textOf(data.description).slice(0, 10_000);
    return { step: { type: "sticky-note", config: { text } }, output: () => undefined, input: () => undefined };
  }
  if (type === "TextInput") {
    const text = work.text("input_value") || "{{json.?message.orValue(null)}}";
    return set({ message: text, text });
  }
  if (type === "ChatInput" || type === "Webhook") {
    return {
      step: { type: type === "Webhook" ? "webhook-trigger" : "chat-trigger", config: {} },
      input: () => undefined,
    };
  }
  if (type === "ChatOutput" || type === "TextOutput") return set({ response: work.text("input_value") });
  if (type.startsWith("Prompt")) return set({ text: work.prompt(data.template) });
  if (type.endsWith("Agent")) {
    const { vendor, model } = modelWords(node);
    return asked(work, vendor, model);
  }
  if (isModel(type)) {
    if (work.leaves(modelOutput)) return modelOnly(work);
    const { vendor, model } = modelWords(node);
    return asked(work, vendor, model);
  }
  if (/Memory$|MessageHistory/.test(type)) {
    const made: Made = { step: { type: "window-memory", config: {} }, output: () => "memory", input: () => undefined };
    return work.leaves(/memory/i)
      ? made
      : {
          ...set({ text: "" }),
          outcome: "approximated",
          note: "Wire a memory to the agent: it brings earlier messages itself.",
        };
  }
  if (type === "ApifyActors") return apifyActor(work);
  if (/^(Knowledge|KB)Ingestion/.test(type)) return ingestion(work);
  if (isStore.test(type)) return knowledge(work);
  if (isEmbedding.test(type)) {
    return {
      outcome: "approximated",
      note: "A collection of the Knowledge page reads, cuts and embeds documents itself.",
    };
  }
  if (work.isTool) return tool(work);
  if (type === "ConditionalRouter") return router(work);
  if (type.startsWith("APIRequest")) return request(work);
  if (type.startsWith("StructuredOutput")) {
    const made = asked(work, "openai", "");
    return made.step
      ? { ...made, step: { ...made.step, config: { ...made.step.config, outputFormat: "json" } } }
      : made;
  }
  if (/^(SaveToFile|SaveFile)/.test(type)) return saveToFile(work);
  if (isListLoop(type)) return listLoop(work);
  if (type === loopItem) return set({ item: "{{json}}" });
  if (isPassing.test(type)) return passing(work);
  if (type.startsWith("CurrentDate")) return set({ text: "{{iso(now)}}" });
  if (isSmart.test(type)) return smart(work);
  if (type.startsWith("RSSReader")) {
    return {
      step: { type: "http-request", config: { url: work.text("rss_url"), method: "GET", result: "body" } },
      outcome: "approximated",
      note: "Returns the feed as XML: extract the entries in a code node, or let an agent read it.",
    };
  }
  const web = webService(
    webName(type),
    (parameter) => work.text(parameter) || (parameter === "url" ? work.text("urls") : "") || work.text("input_value"),
  );
  if (web) {
    return {
      step: { type: "http-request", config: web.config },
      outcome: "approximated",
      note: "Calls the service's API directly; what it gives may look different.",
      ...(web.needs === undefined ? {} : { needs: web.needs }),
    };
  }
  return placeholder(
    type,
    data,
    "Its Python does not run here: use a code node or an HTTP request. The settings are kept.",
  );
}

/** Gives each loop over a list a first node, which hands out the item. */
function withItems(graph: FlowGraph): FlowGraph {
  const loops = graph.nodes.filter(({ type }) => isListLoop(type));
  if (loops.length === 0) return graph;
  const idOf = (loop: string) => `${loop} item`;
  const ids = new Set(loops.map(({ id }) => id));
  const items = loops.map(({ id, name, position }): FlowNode => ({
    id: idOf(id),
    name: `Item of ${name}`,
    type: loopItem,
    position: { x: position.x + 40, y: position.y + 60 },
    data: {},
    added: true,
  }));
  const edges = graph.edges.map((edge) =>
    ids.has(edge.from) && edge.fromHandle === "item" ? { ...edge, from: idOf(edge.from), fromHandle: "" } : edge,
  );
  const handedOut = loops.map(({ id }): FlowEdge => ({
    from: id,
    fromHandle: "item",
    to: idOf(id),
    toHandle: "input_value",
    added: true,
  }));
  return { ...graph, nodes: [...graph.nodes, ...items], edges: [...edges, ...handedOut] };
}

const isTrigger = ({ type }: FlowNode) => type === "ChatInput" || type === "Webhook";

/** Langflow runs a component without inputs by itself; here it starts with the message. */
function withEntry(graph: FlowGraph): FlowGraph {
  const leaves = (id: string, output: RegExp) =>
    graph.edges.some(({ from, fromHandle }) => from === id && output.test(fromHandle));
  const isTool = (id: string) => graph.edges.some(({ from, toHandle }) => from === id && /^tools?$/.test(toHandle));
  const isStep = (node: FlowNode) =>
    !isTrigger(node) &&
    node.type !== "note" &&
    !isTool(node.id) &&
    !isEmbedding.test(node.type) &&
    !leaves(node.id, modelOutput) &&
    !leaves(node.id, /memory/i);
  const steps = new Set(graph.nodes.filter((node) => isStep(node) || isTrigger(node)).map(({ id }) => id));
  const entered = new Set(graph.edges.filter(({ from }) => steps.has(from)).map(({ to }) => to));
  const first = graph.nodes.filter((node) => isStep(node) && !entered.has(node.id));
  if (first.length === 0) return graph;
  const known = graph.nodes.find(isTrigger);
  const trigger: FlowNode = known ?? {
    id: "chat message",
    name: "Chat",
    type: "ChatInput",
    position: { x: Math.min(...first.map(({ position }) => position.x)) - 320, y: first[0]?.position.y ?? 0 },
    data: {},
    added: true,
  };
  const edges = first.map(({ id }): FlowEdge => ({
    from: trigger.id,
    fromHandle: "",
    to: id,
    toHandle: "input_value",
    added: true,
  }));
  return { ...graph, nodes: known ? graph.nodes : [trigger, ...graph.nodes], edges: [...graph.edges, ...edges] };
}

/** Imports one flow of Langflow. Nothing is run or asked for. Never throws on what a file may hold. */
export function importLangflow(source: JsonObject, registry: NodeRegistry, id: string): Assembled {
  return assemble(withEntry(withItems(readLangflow(source))), map, { registry, id, scale: 1 });
}
