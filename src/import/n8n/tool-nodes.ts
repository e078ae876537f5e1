import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { methodProblem } from "../http-method.ts";
import { toolName } from "../tool-name.ts";
import { parsed, schemaOf, namedTool } from "./tool-parameters.ts";
import { asText } from "./apps/request.ts";
import { jsonTemplate } from "./flow-nodes.ts";
import { httpRequest } from "./http-nodes.ts";
import type { Made, Mapper, Mappers } from "./made.ts";
import { escaped, fieldsOf, type NodeWork } from "./node-work.ts";
import { lookup } from "../lookup.ts";

const asTool = (kind: string) => (kind === "ai_tool" ? "tool" : undefined);

const queryParameter = {
  type: "object",
  properties: { query: { type: "string", description: "What to ask or to work on." } },
  required: ["query"],
  additionalProperties: false,
};

function codeTool(work: NodeWork): Made {
  const language = work.word("language", "javaScript");
  const source = String(work.at("jsCode") ?? work.at("pythonCode") ?? work.at("code") ?? "");
  if (language === "python" || (work.at("jsCode") === undefined && work.at("pythonCode") !== undefined)) {
    return {
      type: "placeholder-tool",
      outcome: "placeholder",
      note: "Was Python: write it in JavaScript in a code tool. The source is kept.",
      output: asTool,
    };
  }
  const given = parsed(work.at("inputSchema"));
  const example = parsed(work.at("jsonSchemaExample"));
  const schema = isJsonObject(given) ? given : example === undefined ? undefined : schemaOf(example);
  const own = work.flag("specifyInputSchema") && schema !== undefined && schema.type === "object";
  return {
    type: "code-tool",
    config: {
      ...namedTool(work, "Runs code."),
      parameters: own ? schema : queryParameter,
      code: own ? `const query = args;\n${source}` : source,
    },
    output: asTool,
  };
}

/** `{name}` in the texts of the older HTTP tool is filled in by the model. */
function oldHttpTool(work: NodeWork): Made {
  const described = new Map(
    work.list("placeholderDefinitions", "values").map(({ name, description, type }) => [
      String(name),
      {
        description: String(description ?? ""),
        type: ["string", "number", "boolean", "json"].includes(String(type)) ? String(type) : "string",
      },
    ]),
  );
  const byModel = (name: string, required = true) => {
    const key = name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "value";
    const { description = "", type = "string" } = described.get(name) ?? {};
    return `{{ai(${JSON.stringify(key)}, ${JSON.stringify(description)}, ${JSON.stringify(type)}${required ? "" : ', ""'})}}`;
  };
  const filled = (value: Json | undefined): string => {
    const raw = typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
    if (work.isExpression(raw)) return work.text(raw);
    return escaped(raw.replace(/^=/, "")).replace(/\{([A-Za-z_][\w -]{0,60})\}/g, (whole, name: string) =>
      described.has(name) || /^[A-Za-z_]\w*$/.test(name) ? byModel(name) : whole,
    );
  };
  const values = (...path: string[]) =>
    Object.fromEntries(
      work.list(...path).flatMap(({ name, value, valueProvider }): [string, string][] => {
        if (typeof name !== "string" || name === "") return [];
        const mode = String(valueProvider ?? "modelRequired");
        return [[name, mode === "fieldValue" ? filled(value) : byModel(name, mode !== "modelOptional")]];
      }),
    );
  const part = (send: string, specify: string, list: string, json: string): Record<string, string> | string => {
    if (!work.flag(send)) return {};
    const how = work.choice(specify, ["keypair", "json", "model"], "keypair");
    if (how === "keypair") return values(list, "values");
    return how === "json" ? filled(work.at(json)) : byModel(list.replace("parameters", "").toLowerCase());
  };
  const query = part("sendQuery", "specifyQuery", "parametersQuery", "jsonQuery");
  const headers = part("sendHeaders", "specifyHeaders", "parametersHeaders", "jsonHeaders");
  const body = part("sendBody", "specifyBody", "parametersBody", "jsonBody");
  const asRecord = (value: Record<string, string> | string): Json | undefined => {
    const object = typeof value === "string" ? jsonTemplate(value) : value;
    return object && Object.fromEntries(Object.entries(object).map(([name, one]) => [name, asText(one)]));
  };
  const [queryFields, headerFields] = [asRecord(query), asRecord(headers)];
  if (queryFields === undefined || headerFields === undefined)
    return {
      type: "placeholder-tool",
      outcome: "placeholder",
      note: "Its query or headers are not known before it runs: name each of them in an HTTP request tool.",
      output: asTool,
    };
  const method = work.word("method", "GET").toUpperCase();
  const problem = methodProblem(method);
  if (problem !== undefined) return { outcome: "placeholder", note: problem, output: asTool };
  const kind = work.word("authentication", "none");
  for (const key of ["optimizeResponse", "responseType", "dataField", "fieldsToInclude", "fields", "elementsToOmit"])
    work.lack(key, "The whole answer goes to the model");
  return {
    type: "http-request-tool",
    config: {
      ...namedTool(work, "Calls a web API."),
      url: filled(work.at("url")),
      method,
      query: queryFields,
      headers: headerFields,
      ...(work.flag("sendBody") ? { body: typeof body === "string" ? (jsonTemplate(body) ?? body) : body } : {}),
    },
    output: asTool,
    ...(kind === "none" ? {} : { needs: "a credential" }),
  };
}

/** The HTTP request node as a tool. */
function httpTool(work: NodeWork): Made {
  const made = httpRequest(work, true);
  return { ...made, config: { ...namedTool(work, "Calls a web API."), ...made.config }, output: asTool };
}

function workflowTool(work: NodeWork): Made {
  const id = work.at("workflowId");
  return {
    type: "workflow-tool",
    config: { ...namedTool(work, "Runs another workflow."), workflow: "", inputs: fixedInputs(work) },
    outcome: "approximated",
    note: `Import the other workflow as well${typeof id === "string" && id !== "" ? ` (it was “${id.slice(0, 80)}”)` : ""} and choose it here.`,
    output: asTool,
  };
}

/** What the other workflow always gets; what the model fills in is left to the workflow's trigger, which names it. */
function fixedInputs(work: NodeWork): JsonObject {
  const mapped = Object.entries(fieldsOf(work.at("workflowInputs", "value"))).map(([name, value]) => ({
    name,
    value,
    path: ["workflowInputs", "value", name],
  }));
  const older = work.list("fields", "values").map((one, index) => ({
    name: String(one.name ?? ""),
    value: lookup(one, String(one.type ?? "stringValue")) ?? one.stringValue ?? "",
    path: ["fields", "values", String(index)],
  }));
  const inputs: JsonObject = {};
  for (const { name, value, path } of [...mapped, ...older]) {
    const made = work.template(value);
    if (asksModel(made)) work.drop(path, "The model fills it in, as the trigger of the other workflow names it.");
    else if (name !== "" && made !== null) inputs[name] = made;
  }
  return inputs;
}

const asksModel = (value: Json) => /\{\{[^]*\bai\(/.test(JSON.stringify(value));

function mcpTool(work: NodeWork): Made {
  const url = work.at("sseEndpoint") ?? work.at("endpointUrl") ?? work.at("url") ?? "";
  const list = (key: string) => (Array.isArray(work.at(key)) ? (work.at(key) as Json[]).map(String) : []);
  const include = work.choice("include", ["all", "selected", "except"], "all");
  const sse =
    work.at("sseEndpoint") !== undefined ||
    work.choice("serverTransport", ["httpStreamable", "sse"], "httpStreamable") === "sse";
  return {
    type: "mcp-tool",
    config: {
      url: typeof url === "string" && !work.isExpression(url) ? url.replace(/^=/, "") : "",
      serverName: toolName(work.node.name).slice(0, 30) || "mcp",
      ...(include === "selected" ? { include: list("includeTools") } : {}),
      ...(include === "except" ? { exclude: list("excludeTools") } : {}),
    },
    output: asTool,
    outcome: "approximated",
    note: `${sse ? "The server has to speak Streamable HTTP; its address may be another one. " : ""}List the server's tools in its settings and approve those that the agent may use.`,
    ...(work.word("authentication", "none") === "none" ? {} : { needs: "a credential" }),
  };
}

/** A search on the web as a request that the model fills in. */
function search(url: string, query: JsonObject, usual: string, needs?: string): Mapper {
  return (work) => ({
    type: "http-request-tool",
    config: { ...namedTool(work, usual), toolName: toolName(work.node.name), url, method: "GET", query },
    output: asTool,
    ...(needs === undefined ? {} : { needs }),
  });
}

const asks = '{{ai("query", "what to look for", "string")}}';

/** A vector store as a tool: its documents have to be put into a collection again. */
export function knowledgeTool(work: NodeWork): Made {
  const most = work.number("topK");
  return {
    type: "knowledge-base-tool",
    config: {
      ...namedTool(work, "Searches the knowledge base and returns passages of its documents, best first."),
      ...(most === undefined ? {} : { topK: Math.min(50, Math.max(1, Math.round(most))) }),
      minScore: 0.5,
    },
    output: (kind) => (["ai_tool", "ai_vectorStore", "ai_retriever"].includes(kind) ? "tool" : undefined),
    outcome: "approximated",
    note: "Make a collection on the Knowledge page, add the documents again, and choose it here.",
  };
}

/** Tools, by n8n's names. */
export const toolNodes: Mappers = {
  toolCalculator: (work) => ({
    type: "calculator-tool",
    config: { toolName: toolName(work.node.name) },
    output: asTool,
  }),
  toolCode: codeTool,
  toolHttpRequest: oldHttpTool,
  httpRequestTool: httpTool,
  toolWorkflow: workflowTool,
  toolVectorStore: knowledgeTool,
  mcpClientTool: mcpTool,
  mcpRegistryClientTool: mcpTool,
  toolThink: (work) => ({
    type: "code-tool",
    config: {
      ...namedTool(
        work,
        "Use it to think about something. It gets no new information and changes nothing; it keeps the thought.",
      ),
      parameters: {
        type: "object",
        properties: { thought: { type: "string", description: "A thought to think about." } },
        required: ["thought"],
        additionalProperties: false,
      },
      code: "return thought;",
    },
    output: asTool,
  }),
  toolWikipedia: search(
    "https://en.wikipedia.org/w/api.php",
    { action: "query", list: "search", format: "json", srlimit: "5", srsearch: asks },
    "Searches Wikipedia.",
  ),
  toolSerpApi: search(
    "https://serpapi.com/search.json",
    { engine: "google", q: asks },
    "Searches the web.",
    "a SerpApi key (API key, sent in the query as api_key)",
  ),
  toolSearXng: search(
    "https://searx.example.com/search",
    { format: "json", q: asks },
    "Searches the web.",
    "the address of your SearXNG server",
  ),
  toolWolframAlpha: search(
    "https://www.wolframalpha.com/api/v1/llm-api",
    { input: asks },
    "Answers questions of mathematics and science.",
    "a Wolfram|Alpha key (API key, sent in the query as appid)",
  ),
};
