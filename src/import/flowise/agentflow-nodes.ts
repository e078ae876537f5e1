import { literal, optionalPath, plainText } from "../flow/bench.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { combined, comparison, countsAsFalse, fixed, type Operand } from "../flow/comparisons.ts";
import { htmlText } from "../flow/html-text.ts";
import { placeholder, type Made, type Service } from "../flow/made.ts";
import { asService, knowledgeStep, knownTool, searchStep } from "../flow/plain-tools.ts";
import { firstThatHolds, switches } from "../flow/ways.ts";
import { webService } from "../flow/web-services.ts";
import { isFunctionBody, missingIn } from "../n8n/code-shims.ts";
import { untraced } from "../parameters.ts";
import { methodProblem } from "../http-method.ts";
import { toolName } from "../tool-name.ts";
import { innerModel } from "./read-model.ts";
import { listOf, objectOf, parsed, textOf } from "./read-flowise.ts";
import { requestTool } from "./request-tools.ts";
import { again, targetOf, turnId } from "./turns.ts";
import { type FlowiseWork, stateTitle, updatesOf } from "./references.ts";
import { lookup } from "../lookup.ts";

const set = (fields: JsonObject, keepInput = false): Made => ({
  step: { type: "set-fields", config: { fields, keepInput } },
});

export function start({ inputs }: FlowiseWork): Made {
  if (inputs.startInputType === "formInput") {
    const fields = listOf(inputs.formInputTypes).map((one) => [textOf(one.name), one.type === "number" ? 0 : ""]);
    return { step: { type: "manual-trigger", config: { input: Object.fromEntries(fields) as JsonObject } } };
  }
  return { step: { type: "chat-trigger", config: {} } };
}

const messageTypes: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  stringArray: { type: "array", items: { type: "string" } },
};

/** The fields that an answer has to have, as a JSON Schema. */
function schemaOf(list: readonly JsonObject[]): JsonObject {
  const properties = list.map((one): [string, JsonObject] => {
    const type = textOf(one.type, "string");
    const values = textOf(one.enumValues)
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
    const inner = parsed(one.jsonSchema);
    const item =
      type === "jsonArray"
        ? { type: "array", items: { type: "object", properties: itemFields(objectOf(inner)) } }
        : type === "enum"
          ? { type: "string", ...(values.length > 0 ? { enum: values } : {}) }
          : (lookup(messageTypes, type) ?? { type: "string" });
    return [textOf(one.key), { ...item, ...(one.description ? { description: textOf(one.description) } : {}) }];
  });
  return { type: "object", properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

const itemFields = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...(lookup(messageTypes, textOf(objectOf(field).type)) ?? { type: "string" }),
        ...(objectOf(field).description ? { description: textOf(objectOf(field).description) } : {}),
      },
    ]),
  );

/** What the node is told and asked. Without a message of its own it goes on with the conversation so far. */
function messages(work: FlowiseWork, prefix: string): { systemPrompt: string; userMessage: string } {
  const list = listOf(work.inputs[`${prefix}Messages`]);
  const said = list.map((one) => ({ role: textOf(one.role, "user"), text: work.text(one.content) }));
  const system = said.filter(({ role }) => role === "system" || role === "developer").map(({ text }) => text);
  const others = said.filter(({ role }) => role !== "system" && role !== "developer");
  const own = work.text(work.inputs[`${prefix}UserMessage`]);
  const shown = others.map(({ role, text }) => (others.length > 1 || own !== "" ? `${nameOf(role)}: ${text}` : text));
  const asked = [...shown, ...(own === "" ? [] : [own])];
  if (asked.length === 0) asked.push(...conversation(work));
  return { systemPrompt: system.join("\n\n"), userMessage: asked.join("\n\n") };
}

const nameOf = (role: string) => (role === "assistant" ? "Assistant" : "User");

/** The question, and what the nodes before answered. */
function conversation(work: FlowiseWork): string[] {
  const answered = work.earlier.filter(({ type }) => type === "llmAgentflow" || type === "agentAgentflow").toReversed();
  const inner = work.node.parent === undefined ? [] : work.text("{{$iteration}}");
  const turn = work.earlier.find(({ type }) => type === "repeat-turn");
  const before = turn === undefined ? undefined : work.bench.names.get(turn.id)?.slug;
  const slugs = answered.map(({ id }) => work.bench.names.get(id)?.slug ?? "");
  return [
    `{{${work.message()}}}`,
    ...(typeof inner === "string" ? [inner] : []),
    ...(before === undefined ? [] : [`{{${optionalPath("nodes", [before, again, "response"])}.orValue(null)}}`]),
    ...slugs.map((slug) => `{{${optionalPath("nodes", [slug, "response"])}.orValue(null)}}`),
  ];
}

function memory(work: FlowiseWork, prefix: string): Service[] {
  if (work.inputs[`${prefix}EnableMemory`] !== true || work.node.parent !== undefined) return [];
  const type = textOf(work.inputs[`${prefix}MemoryType`]);
  const size = Number(work.inputs[`${prefix}MemoryWindowSize`]) || 20;
  const slug = work.bench.names.get(work.node.id)?.slug ?? "agent";
  const session = { sessionId: `{{${work.session()}}}:${slug}` };
  const config: JsonObject =
    type === "windowSize"
      ? { ...session, maxMessages: Math.min(100, Math.max(1, Math.round(size * 2))) }
      : { ...session, ...(type === "conversationSummary" ? {} : { maxMessages: 100 }) };
  return [
    {
      type: type === "conversationSummary" ? "summary-memory" : "window-memory",
      title: `Memory of ${work.node.name}`,
      config,
      output: "memory",
      input: "memory",
    },
  ];
}

/** Searches of the flow whose passages a node reads: each becomes a tool of it. */
function searches(work: FlowiseWork): Service[] {
  const text = JSON.stringify(untraced(work.inputs));
  return work.earlier
    .filter(({ id, type }) => type === "retrieverAgentflow" && text.includes(id))
    .map(({ name }) => asService({ ...knowledgeStep(name, "", undefined), title: `${name} search` }));
}

/** A model or an agent. */
export function agent(work: FlowiseWork): Made {
  const { inputs, node } = work;
  const prefix = node.type === "llmAgentflow" ? "llm" : "agent";
  const model = innerModel(inputs, prefix);
  const tools = agentTools(work);
  const found = searches(work);
  const shape = listOf(inputs[`${prefix}StructuredOutput`]);
  return withState(work, {
    step: {
      type: "ai-agent",
      config: {
        ...messages(work, prefix),
        ...(shape.length > 0 ? { outputFormat: "json", outputSchema: schemaOf(shape) } : {}),
      },
    },
    services: [model.service, ...memory(work, prefix), ...tools.services, ...found],
    needs: ["a credential for the model", ...tools.needs].join(", "),
    note: [model.note, ...tools.notes].filter(Boolean).join(" "),
  });
}

function agentTools(work: FlowiseWork): { services: Service[]; needs: string[]; notes: string[] } {
  const made = { services: [] as Service[], needs: [] as string[], notes: [] as string[] };
  for (const [index, one] of listOf(work.inputs.agentTools).entries()) {
    const name = textOf(one.agentSelectedTool);
    if (name === "") continue;
    const config = objectOf(one.agentSelectedToolConfig);
    const asks: JsonObject = one.agentSelectedToolRequiresHumanInput === true ? { approval: "ask" } : {};
    const tool = toolStep(name, config);
    const source = ["inputs", "agentTools", String(index)];
    made.services.push(asService({ ...tool.step, title: name, source, config: { ...tool.step.config, ...asks } }));
    if (tool.needs) made.needs.push(tool.needs);
    if (tool.note) made.notes.push(tool.note);
  }
  for (const one of [
    ...listOf(work.inputs.agentKnowledgeDocumentStores),
    ...listOf(work.inputs.agentKnowledgeVSEmbeddings),
  ]) {
    const shown = textOf(one.knowledgeName) || textOf(one.documentStore).split(":").at(-1) || "knowledge";
    const words = textOf(one.docStoreDescription) || textOf(one.knowledgeDescription);
    made.services.push(asService({ ...knowledgeStep(shown, words, undefined), title: shown }));
    made.notes.push(`Make a collection for “${shown}” on the Knowledge page and choose it in the tool.`);
  }
  const web = Object.keys(work.inputs).some(
    (key) => /ToolsBuiltIn/.test(key) && /web_search|google/i.test(textOf(work.inputs[key])),
  );
  const search = web ? knownTool("serpapi", "web_search") : undefined;
  if (search) {
    made.services.push(asService({ ...search.step, title: "Web search" }));
    made.needs.push(search.needs ?? "");
  }
  return made;
}

/** A tool by Flowise's name of it; a placeholder where it is not known. */
export function toolStep(
  name: string,
  config: JsonObject,
  shown = name,
): {
  step: { type: string; config: JsonObject };
  needs?: string;
  note?: string;
  placeholder?: true;
  outcome?: Made["outcome"];
} {
  const description =
    textOf(config.toolDescription) || textOf(config[`${name}Description`]) || textOf(config.description);
  const called = textOf(config.toolName) || textOf(config[`${name}Name`]) || textOf(config.name) || shown;
  if (/mcp/i.test(name)) {
    const server = objectOf(parsed(config.mcpServerConfig));
    const url = textOf(server.url);
    const note =
      url === ""
        ? "The server has to speak Streamable HTTP: enter its address, then approve its tools."
        : "List the server's tools in its settings and approve those that the agent may use.";
    return {
      step: { type: "mcp-tool", config: { url, serverName: toolName(called).slice(0, 30) } },
      note,
      outcome: "approximated",
    };
  }
  const request = /^requests(Get|Post|Put|Delete)$/.test(name) ? requestTool(name, config) : undefined;
  if (request) {
    const words = { toolName: toolName(called), toolDescription: description || "Sends an HTTP request." };
    return { step: { type: "http-request-tool", config: { ...words, ...request } } };
  }
  const known = knownTool(name, called, description);
  if (known) return known;
  const instead = /custom/i.test(name)
    ? "Its code is not part of the file: write it in a code tool."
    : "Use an HTTP request tool or a code tool that does the same.";
  return {
    step: {
      type: "placeholder-tool",
      config: { sourceType: name.slice(0, 200), instead, settings: config, toolName: toolName(called) },
    },
    note: `The tool “${shown}” is a placeholder. ${instead}`,
    placeholder: true,
  };
}

/** Keeps what the node writes into the state, in a node behind it. */
export function withState(work: FlowiseWork, made: Made): Made {
  const updates = updatesOf(work.node);
  if (updates.length === 0 || !made.step) return made;
  const { title } = stateTitle(work.bench, work.node);
  const slug = work.bench.names.get(work.node.id)?.slug;
  const state = Object.fromEntries(updates.map((one) => [textOf(one.key), work.text(one.value, slug)]));
  return {
    ...made,
    behind: [
      ...(made.behind ?? []),
      { type: "set-fields", title, isReserved: true, config: { fields: { state }, keepInput: true } },
    ],
  };
}

/** Handles of a node with several outputs end in their number. */
const numberOf = (handle: string) => Number(/-output-(\d+)$/.exec(handle)?.[1] ?? 0);

export function condition(work: FlowiseWork): Made {
  const list = listOf(work.inputs.conditions);
  const odd = new Set<string>();
  const tests = list.map((one) => {
    const operand = (raw: Json | undefined): Operand => {
      const text = htmlText(textOf(raw)).trim();
      if (text.includes("{{")) return { code: work.value(raw) };
      if (one.type === "number" && text !== "") return fixed(Number(text));
      return one.type === "boolean" ? fixed(text === "true") : fixed(text);
    };
    const operator = textOf(one.operation, "equal");
    const code = comparison(operand(one.value1), operator, operand(one.value2));
    if (code === undefined) odd.add(operator);
    return combined([code ?? "false"], false);
  });
  const told = countsAsFalse(odd);
  if (tests.length <= 1) {
    return {
      step: { type: "if", config: { condition: `{{${tests[0] ?? "true"}}}` } },
      output: (handle) => (numberOf(handle) === 0 ? "true" : "false"),
      ...told,
    };
  }
  const wayOf = (handle: string) => (numberOf(handle) < tests.length ? numberOf(handle) : -1);
  return { ...firstThatHolds(work.node.name, tests, wayOf), ...told };
}

export function conditionAgent(work: FlowiseWork): Made {
  const { inputs, node } = work;
  const scenarios = listOf(inputs.conditionAgentScenarios).map((one) => textOf(one.scenario));
  const names = [...new Set(scenarios)];
  const model = innerModel(inputs, "conditionAgent");
  const ways = switches(`Ways of ${node.name}`, "{{json.?response.?scenario.orValue(null)}}", names, 1);
  return {
    step: {
      type: "ai-agent",
      config: {
        systemPrompt:
          `${work.text(inputs.conditionAgentInstructions)}\n\nChoose the scenario that fits best, by its exact words:\n${names.map((one) => `- ${work.text(one)}`).join("\n")}`.trim(),
        userMessage: work.text(inputs.conditionAgentInput) || `{{${work.message()}}}`,
        outputFormat: "json",
        outputSchema: {
          type: "object",
          properties: { scenario: { type: "string", enum: names } },
          required: ["scenario"],
        },
      },
    },
    behind: ways.steps,
    services: [model.service],
    needs: "a credential for the model",
    note: `Became an agent that names the scenario, and a switch that takes the way of it. ${model.note}`.trim(),
    output: (handle) => {
      const name = scenarios[numberOf(handle)];
      return ways.port(name === undefined ? -1 : names.indexOf(name));
    },
  };
}

export function http(work: FlowiseWork): Made {
  const { inputs, node } = work;
  const pairs = (value: Json | undefined) =>
    Object.fromEntries(
      listOf(value)
        .filter((one) => textOf(one.key) !== "")
        .map((one) => [textOf(one.key), work.text(one.value)]),
    );
  const method = textOf(inputs.method, "GET").toUpperCase();
  const problem = methodProblem(method);
  if (problem !== undefined) return withState(work, placeholder("http", inputs, problem));
  const type = textOf(inputs.bodyType);
  const isForm = type === "formData" || type === "xWwwFormUrlencoded";
  const signs = textOf(node.data.credential) !== "" || textOf(inputs.FLOWISE_CREDENTIAL_ID) !== "";
  return withState(work, {
    step: {
      type: "http-request",
      config: {
        url: work.text(inputs.url).trim(),
        method,
        headers: pairs(inputs.headers),
        query: pairs(inputs.queryParams),
        ...(isForm
          ? { bodyType: "form", form: pairs(inputs.body) }
          : textOf(inputs.body) === ""
            ? {}
            : { body: work.text(inputs.body) }),
      },
    },
    ...(signs
      ? {
          needs: "a credential",
          credentials: [{ type: "HTTP credential", note: "The one in the file does not come along." }],
        }
      : {}),
  });
}

export function tool(work: FlowiseWork): Made {
  const { inputs } = work;
  const name = textOf(inputs.toolAgentflowSelectedTool) || textOf(inputs.selectedTool);
  const given = listOf(inputs.toolInputArgs);
  const web = webService(name, (_parameter, _words, names) => {
    const found = given.find((one) => names.includes(textOf(one.inputArgName))) ?? given[0];
    return work.text(found?.inputArgValue);
  });
  if (!web) {
    const instead = "Use an HTTP request to the service's API, or a code node.";
    return withState(work, placeholder(`tool ${name}`, inputs, instead));
  }
  return withState(work, {
    step: { type: "http-request", config: web.config },
    outcome: "approximated",
    note: "Calls the service's API directly; what it gives may look different.",
    ...(web.needs === undefined ? {} : { needs: web.needs }),
  });
}

/** JavaScript whose inputs begin with a dollar sign. */
export function customFunction(work: FlowiseWork): Made {
  const { inputs } = work;
  const source = textOf(inputs.customFunctionJavascriptFunction) || textOf(inputs.javascriptFunction);
  const missing = missingIn(source);
  if (missing.length > 0) {
    const instead = `Its code needs ${missing.join(" and ")}, which a sandbox does not have. The source is kept.`;
    return withState(work, placeholder("custom function", inputs, instead));
  }
  const variables = listOf(inputs.customFunctionInputVariables).filter((one) =>
    /^[A-Za-z_]\w{0,60}$/.test(textOf(one.variableName)),
  );
  const given = Object.fromEntries(
    variables.map((one) => [`$${textOf(one.variableName)}`, `{{${work.value(one.variableValue)}}}`]),
  );
  const keys = [...new Set([...source.matchAll(/\$flow\.state\.(\w+)/g)].map(([, key = ""]) => key))];
  const state = Object.fromEntries(keys.map((key) => [key, `{{${work.value(`{{$flow.state.${key}}}`)}}}`]));
  const flow = { input: `{{${work.message()}}}`, sessionId: `{{${work.session()}}}`, state };
  const usesFlow = /\$flow\b/.test(source);
  return withState(work, {
    step: {
      type: "code",
      config: { code: source, inputs: { ...given, ...(usesFlow ? { $flow: flow } : {}) } },
    },
    ...(isFunctionBody(source) ? {} : { outcome: "approximated", note: "The code cannot be read and will fail." }),
  });
}

export function retriever(work: FlowiseWork): Made {
  const read = work.bench.graph.nodes.some(
    (one) => /^(llm|agent)Agentflow$/.test(one.type) && JSON.stringify(one.data.inputs ?? null).includes(work.node.id),
  );
  const words = "Make a collection on the Knowledge page, add the documents again, and choose it";
  if (read) {
    return withState(work, {
      ...set({}, true),
      outcome: "approximated",
      note: `Became a tool with which the agent behind it searches. ${words} in the tool.`,
    });
  }
  return withState(work, {
    step: searchStep(work.node.name, work.text(work.inputs.retrieverQuery), undefined),
    outcome: "approximated",
    note: `${words}.`,
  });
}

export const reply = (work: FlowiseWork): Made => set({ response: work.text(work.inputs.directReplyMessage) });

export function iteration(work: FlowiseWork): Made {
  const list = work.value(work.inputs.iterationInput);
  const items = `(typeName(${list}) == "string" ? dyn(parseJson(text(${list}))) : dyn(${list}))`;
  return {
    step: { type: "for-each", config: { items: `{{items(${items})}}`, concurrency: 1 } },
    output: (handle) => (handle === "item" ? "main" : "done"),
  };
}

export const iterationItem = (): Made => set({ item: "{{json}}" });

/** Turns are taken until one ends without going back to this node. */
export function repeatTurns({ node }: FlowiseWork): Made {
  const { target, turns } = node.data;
  const goesBack = `${optionalPath("json", [again, "to"])}.orValue(null) == ${literal(textOf(target))}`;
  return {
    step: { type: "repeat", config: { until: `{{!(${goesBack})}}`, asked: "after", mostTurns: Number(turns) } },
    output: (handle) => (handle === "main" ? "main" : "done"),
  };
}

export const repeatTurn = (): Made => set({}, true);

/** The end of a turn, which takes along what the next one reads. Where nothing leads here from there, the flow ends. */
export function loop(work: FlowiseWork): Made {
  const { graph } = work.bench;
  const target = targetOf(work.node, graph);
  const turn = target && graph.nodes.find(({ id }) => id === turnId(target.id));
  if (target && turn) {
    // The node that takes the turns has the count.
    void work.inputs.maxLoopCount;
    const last = work.earlier.find(({ type }) => isAnswering(type));
    const slug = last && work.bench.names.get(last.id)?.slug;
    const response = slug === undefined ? null : `{{${optionalPath("nodes", [slug, "response"])}.orValue(null)}}`;
    return {
      ...set({ [again]: { to: plainText(target.name), response, state: work.allState() } }),
      note: `Goes back to “${target.name}” in a “Repeat until”. A turn gets the state and the last answer of the turn before.`,
    };
  }
  const wanted = textOf(work.inputs.loopBackToNode) || textOf(work.inputs.loopToName);
  return {
    ...set({}, true),
    outcome: "approximated",
    note: `The flow ends here instead of going back to “${wanted.replace(/^\w+_\d+-/, "")}”: the next message starts it again, or let an agent repeat the work with tools.`,
  };
}

const isAnswering = (type: string) => /^(llm|agent)Agentflow$|^seq(Agent|LLMNode)$/.test(type);

export function note({ inputs, node }: FlowiseWork): Made {
  const size = (value: Json | undefined, usual: number) => Math.min(20_000, Math.max(120, Number(value) || usual));
  return {
    step: {
      type: "sticky-note",
      config: { text: htmlText(textOf(inputs.note)).slice(0, 10_000), width: size(node.data.width, 240), height: 160 },
    },
    input: () => undefined,
    output: () => undefined,
  };
}

export function humanInput(work: FlowiseWork): Made {
  const { inputs } = work;
  const asksModel = textOf(inputs.humanInputDescriptionType) === "dynamic";
  const message = asksModel ? "" : work.text(inputs.humanInputDescription);
  return {
    step: { type: "approval", config: { message: (message || "Should the workflow continue?").slice(0, 5_000) } },
    output: (handle) => (numberOf(handle) === 0 ? "approved" : "declined"),
    ...(asksModel
      ? { outcome: "approximated", note: "A model wrote the question there; here it is a fixed text, so rewrite it." }
      : {}),
  };
}
