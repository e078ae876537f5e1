import { optionalPath } from "../flow/bench.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { switches } from "../flow/ways.ts";
import type { Made, Service, Step } from "../flow/made.ts";
import { modelService } from "../flow/models.ts";
import { asService, knowledgeStep, knownTool } from "../flow/plain-tools.ts";
import { untraced } from "../parameters.ts";
import { toolName } from "../tool-name.ts";
import { isPlainJinja, renderJinja } from "./jinja.ts";
import { listOf, objectOf, textOf } from "./read-dify.ts";
import type { DifyWork } from "./references.ts";
import { lookup } from "../lookup.ts";

/** The model of a node, as the node beside it, and what has to be said about it. */
function modelOf(raw: Json | undefined): { services: Service[]; notes: string[] } {
  const model = objectOf(raw);
  const { service, note } = modelService({
    vendor: textOf(model.provider),
    model: textOf(model.name) || textOf(model.model),
    parameters: objectOf(model.completion_params),
  });
  return { services: [service], notes: note === "" ? [] : [note] };
}

const needsModel = "a credential for the model";

/** Dify's window counts exchanges of two messages. Each node has a conversation of its own. */
function memoryOf(work: DifyWork, raw: Json | undefined): Service[] {
  if (work.app.mode !== "chat") return [];
  const memory = objectOf(raw);
  const window = objectOf(memory.window);
  const size = window.enabled === true ? Number(window.size ?? 50) : 50;
  const session = work.value(["sys", "conversation_id"]);
  const slug = work.bench.names.get(work.node.id)?.slug ?? "agent";
  return [
    {
      type: "window-memory",
      title: `Memory of ${work.node.name}`,
      config: {
        maxMessages: Math.min(100, Math.max(1, Math.round((Number.isFinite(size) ? size : 50) * 2))),
        sessionId: `{{${session}}}:${slug}`,
      },
      output: "memory",
      input: "memory",
    },
  ];
}

interface Prompt {
  system: string;
  user: string;
  before: Step[];
  notes: string[];
}

/** The messages of a node: instructions, and what is asked. Those between stand in the user message. */
function promptOf(work: DifyWork, context: string): Prompt {
  const { data } = work.node;
  const given = Array.isArray(data.prompt_template) ? listOf(data.prompt_template) : [objectOf(data.prompt_template)];
  const prompt: Prompt = { system: "", user: "", before: [], notes: [] };
  const said: { role: string; text: string }[] = [];
  for (const one of given) {
    const role = textOf(one.role, "user");
    const text =
      one.edition_type === "jinja2"
        ? jinjaText(work, textOf(one.jinja2_text) || textOf(one.text), prompt)
        : work.text(one.text, context);
    if (role === "system") prompt.system += `${prompt.system === "" ? "" : "\n\n"}${text}`;
    else if (text.trim() !== "") said.push({ role, text });
  }
  const query = objectOf(data.memory).query_prompt_template;
  if (data.memory && textOf(query) !== "") said.push({ role: "user", text: work.text(query) });
  const last = said.at(-1);
  if (said.length > 1) {
    const before = said.slice(0, -1).map(({ role, text }) => `${role === "assistant" ? "Assistant" : "User"}: ${text}`);
    prompt.user = `${before.join("\n")}\n\n${last?.text ?? ""}`;
    prompt.notes.push("The earlier messages stand in the user message.");
  } else if (last) {
    prompt.user = last.text;
  } else {
    // A prompt with nothing but instructions asks by them.
    prompt.user = prompt.system;
    prompt.system = "";
  }
  return prompt;
}

function jinjaText(work: DifyWork, template: string, prompt: Prompt): string {
  const variables = listOf(objectOf(work.node.data.prompt_config).jinja2_variables);
  if (isPlainJinja(template)) return plainJinja(work, template, variables);
  const rendered = renderJinja(template);
  if (!rendered.ok) {
    prompt.notes.push(`A Jinja prompt stands as it is: ${rendered.reason} cannot be translated.`);
    return template.replaceAll("{{", "{ {");
  }
  const { title, slug } = work.bench.draft.reserve(`Prompt of ${work.node.name}`.slice(0, 150));
  const config = { code: rendered.code, inputs: { values: given(work, variables) } };
  prompt.before.push({ type: "code", title, isReserved: true, config });
  return `{{${optionalPath("nodes", [slug, "output"])}.orValue(null)}}`;
}

const given = (work: DifyWork, variables: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(variables.map((one) => [textOf(one.variable), work.template(one.value_selector)]));

/** A Jinja template without blocks as a template. */
export function plainJinja(work: DifyWork, template: string, variables: readonly JsonObject[]): string {
  const selectors = new Map(variables.map((one) => [textOf(one.variable), one.value_selector]));
  return template
    .split(/(\{\{\s*[A-Za-z_][\w.]*\s*\}\})/)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const [name = "", ...more] = part.replace(/[{}\s]/g, "").split(".");
      const selector = selectors.get(name);
      return Array.isArray(selector) ? work.template([...selector, ...more]) : "";
    })
    .join("");
}

/** Searches that a prompt reads the passages of: each becomes a tool of the agent. */
function searches(work: DifyWork): { services: Service[]; context: string } {
  const { data } = work.node;
  const text = JSON.stringify(untraced(data));
  const context = objectOf(data.context);
  const selector =
    context.enabled === true && Array.isArray(context.variable_selector) ? context.variable_selector : [];
  const used = work.bench.graph.nodes.filter(
    ({ id, type }) => type === "knowledge-retrieval" && (selector[0] === id || text.includes(`{{#${id}.`)),
  );
  const services = used.map(({ name, data: search }) => {
    const top = objectOf(search.multiple_retrieval_config).top_k;
    return asService({
      ...knowledgeStep(name, "", typeof top === "number" ? top : undefined),
      title: `${name} search`,
    });
  });
  const read = selector.length > 1 ? work.template(selector) : "";
  return { services, context: services.length > 0 ? "(search the knowledge base)" : read };
}

/** A prompt to a model. */
export function llm(work: DifyWork): Made {
  const { data } = work.node;
  const { services: tools, context } = searches(work);
  const prompt = promptOf(work, context);
  const model = modelOf(data.model);
  const output = objectOf(objectOf(data.structured_output).schema);
  const structured = data.structured_output_enabled === true && Object.keys(output).length > 0;
  const vision = objectOf(data.vision).enabled === true;
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: prompt.system,
        userMessage: prompt.user === "" ? work.template(["sys", "query"]) : prompt.user,
        ...(structured ? { outputFormat: "json", outputSchema: output } : {}),
        ...(tools.length > 0 ? { toolChoice: "required" } : {}),
      },
    },
    before: prompt.before,
    services: [...model.services, ...(data.memory ? memoryOf(work, data.memory) : []), ...tools],
    needs: needsModel,
    note: [...model.notes, ...prompt.notes].join(" "),
    settings: vision
      ? [{ name: "vision", outcome: "approximated", note: "Pictures reach the agent with the chat message." }]
      : [],
  };
}

/** Answers as JSON of a shape, without tools. */
function judge(config: JsonObject, model: Json | undefined): Made {
  const { services, notes } = modelOf(model);
  return {
    step: { type: "ai-agent", config: { ...config, outputFormat: "json" } },
    services,
    needs: needsModel,
    note: notes.join(" "),
  };
}

export function questionClassifier(work: DifyWork): Made {
  const { data, name } = work.node;
  const classes = listOf(data.classes).map((one) => ({ id: textOf(one.id), name: textOf(one.name) }));
  const names = [...new Set(classes.map((one) => one.name))];
  const instructions = work.text(data.instruction ?? data.instructions);
  const made = judge(
    {
      systemPrompt: `Assign the text to one of these categories, by its exact name:\n${classes.map((one) => `- ${work.text(one.name)}`).join("\n")}${instructions === "" ? "" : `\n\n${instructions}`}`,
      userMessage: work.template(data.query_variable_selector),
      outputSchema: {
        type: "object",
        properties: { category: { type: "string", enum: names } },
        required: ["category"],
      },
    },
    data.model,
  );
  const ways = switches(`Ways of ${name}`, "{{json.?response.?category.orValue(null)}}", names, 1);
  return {
    ...made,
    behind: ways.steps,
    note: `Became an agent that names the category, and a switch that takes the way of it. ${made.note ?? ""}`.trim(),
    output: (handle) => {
      const found = classes.find(({ id }) => id === handle);
      return found ? ways.port(names.indexOf(found.name)) : undefined;
    },
  };
}

const types: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  number: { type: "number" },
  bool: { type: "boolean" },
  boolean: { type: "boolean" },
  select: { type: "string" },
  "array[string]": { type: "array", items: { type: "string" } },
  "array[number]": { type: "array", items: { type: "number" } },
  "array[object]": { type: "array", items: { type: "object" } },
};

export function parameterExtractor(work: DifyWork): Made {
  const { data } = work.node;
  const parameters = listOf(data.parameters).filter((one) => textOf(one.name) !== "");
  const properties = parameters.map((one): [string, JsonObject] => {
    const options = Array.isArray(one.options) ? one.options.filter((each) => typeof each === "string") : [];
    return [
      textOf(one.name),
      {
        ...(lookup(types, textOf(one.type)) ?? { type: "string" }),
        ...(one.description ? { description: textOf(one.description) } : {}),
        ...(options.length > 0 ? { enum: options } : {}),
      },
    ];
  });
  const instruction = work.text(data.instruction);
  return judge(
    {
      systemPrompt: `Extract the requested information from the text. Leave out what the text does not say.${instruction === "" ? "" : `\n\n${instruction}`}`,
      userMessage: work.template(data.query),
      outputSchema: {
        type: "object",
        properties: Object.fromEntries(properties),
        required: parameters.filter((one) => one.required === true).map((one) => textOf(one.name)),
      },
    },
    data.model,
  );
}

/** The value of a parameter of an agent: fixed, a text with variables, or a variable. */
function parameter(work: DifyWork, raw: Json | undefined): Json {
  const { type, value = null } = objectOf(raw);
  if (type === "variable") return work.template(value);
  return typeof value === "string" ? work.text(value) : value;
}

const choice = (raw: Json) => (typeof raw === "string" ? raw : "");

/** Tools of an agent, as far as they are known; the others are placeholders. */
function toolsOf(list: readonly JsonObject[]): { services: Service[]; notes: string[]; needs: string[] } {
  const made = { services: [] as Service[], notes: [] as string[], needs: [] as string[] };
  for (const tool of list.filter(({ enabled }) => enabled !== false)) {
    const shown = textOf(tool.tool_name) || textOf(tool.tool_label, "tool");
    const provider = textOf(tool.provider_name) || textOf(tool.provider_id);
    const words = textOf(objectOf(tool.extra).description) || textOf(tool.tool_description);
    const known = knownTool(`${provider}/${shown}`, shown, words);
    if (known) {
      made.services.push(asService({ ...known.step, title: shown }));
      if (known.needs) made.needs.push(known.needs);
      continue;
    }
    made.notes.push(`The tool “${shown}” of ${provider || "its provider"} is a placeholder.`);
    const instead = "Use an HTTP request tool or a code tool that does the same.";
    const config = {
      sourceType: `${provider}/${shown}`.slice(0, 200),
      instead,
      settings: tool,
      toolName: toolName(shown),
    };
    made.services.push(asService({ type: "placeholder-tool", title: shown, config }));
  }
  return made;
}

/** The addresses of MCP servers in the settings of an agent's strategy, as tools. */
function mcpTools(parameters: JsonObject): Service[] {
  const urls = new Set<string>();
  for (const key of Object.keys(parameters)) {
    if (!/mcp|server/i.test(key)) continue;
    for (const [url] of textOf(objectOf(parameters[key]).value).matchAll(/https?:\/\/[^\s"'\\,}]+/g)) urls.add(url);
  }
  return [...urls]
    .slice(0, 20)
    .map((url, index) =>
      asService({ type: "mcp-tool", title: `MCP server ${index + 1}`, config: { url, serverName: `mcp${index + 1}` } }),
    );
}

export function agent(work: DifyWork): Made {
  const { data } = work.node;
  const parameters = objectOf(data.agent_parameters);
  const most = Number(objectOf(parameters.maximum_iterations ?? parameters.max_iterations).value);
  const model = modelOf(objectOf(parameters.model).value);
  const tools = toolsOf(listOf(objectOf(parameters.tools).value));
  const mcp = mcpTools(parameters);
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: choice(parameter(work, parameters.instruction)),
        userMessage: choice(parameter(work, parameters.query)) || work.template(["sys", "query"]),
        ...(most >= 1 ? { maxIterations: Math.min(50, Math.round(most)) } : {}),
      },
    },
    services: [...model.services, ...(data.memory ? memoryOf(work, data.memory) : []), ...tools.services, ...mcp],
    needs: [needsModel, ...tools.needs].join(", "),
    note: [
      ...model.notes,
      ...tools.notes,
      ...(mcp.length > 0 ? ["List the tools of its MCP servers in their settings and approve those it may use."] : []),
    ].join(" "),
  };
}

/** An app that is one prompt or one agent. */
export function chatApp(work: DifyWork): Made {
  const { data, type } = work.node;
  const isChat = type === "chat-app";
  const mode = objectOf(data.agent_mode);
  const all = listOf(mode.tools);
  const datasets = [
    ...listOf(objectOf(objectOf(data.dataset_configs).datasets).datasets).map((one) => objectOf(one.dataset ?? one)),
    ...all.filter((one) => "dataset" in one).map((one) => objectOf(one.dataset)),
  ].filter((one) => one.enabled !== false);
  const tools = toolsOf(all.filter((one) => "tool_name" in one && mode.enabled !== false));
  const model = modelOf(data.model);
  const most = Number(mode.max_iteration);
  const searched =
    datasets.length > 0 ? [asService({ ...knowledgeStep("Knowledge", "", undefined), title: "Knowledge" })] : [];
  const chat = work.prompt(data.pre_prompt) || advancedPrompt(work, data);
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt: isChat ? chat : "",
        userMessage: isChat ? work.template(["sys", "query"]) : chat || "{{json}}",
        ...(most >= 1 ? { maxIterations: Math.min(50, Math.round(most)) } : {}),
      },
    },
    services: [...model.services, ...(isChat ? memoryOf(work, {}) : []), ...tools.services, ...searched],
    needs: [needsModel, ...tools.needs].join(", "),
    note: [
      ...model.notes,
      ...tools.notes,
      ...(searched.length > 0
        ? ["Make a collection on the Knowledge page, add the documents again, and choose it in the tool."]
        : []),
    ].join(" "),
  };
}

function advancedPrompt(work: DifyWork, data: JsonObject): string {
  const messages = listOf(objectOf(data.chat_prompt_config).prompt);
  if (messages.length > 0) return messages.map(({ text }) => work.prompt(text)).join("\n\n");
  return work.prompt(objectOf(objectOf(data.completion_prompt_config).prompt).text);
}
