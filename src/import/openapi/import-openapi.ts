import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { safeJson } from "../draft.ts";
import { quoted } from "../expressions/piece.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import { plainText } from "../flow/bench.ts";
import type { FlowEdge, FlowNode } from "../flow/flow-graph.ts";
import type { Made } from "../flow/made.ts";
import { toolName } from "../tool-name.ts";

/** More tools than this confuse a model, and many vendors refuse them. */
const mostTools = 40;
const methods = ["get", "post", "put", "patch", "delete", "head"];

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const textOf = (value: Json | undefined, usual = ""): string => (typeof value === "string" ? value : usual);

/** Whether a value describes an API: OpenAPI 3, or its predecessor Swagger 2. */
export function isOpenApi(value: unknown): value is JsonObject {
  if (!isJsonObject(value as Json)) return false;
  const { openapi, swagger, paths } = value as JsonObject;
  return (typeof openapi === "string" || typeof swagger === "string") && isJsonObject(paths);
}

interface Operation {
  method: string;
  path: string;
  /** With the parameters of its path. */
  parameters: JsonObject[];
  described: JsonObject;
  /** Its own servers, those of its path, or the document's. */
  servers: JsonObject[];
}

/** What `$ref` points at within the document, followed a few times at most. */
function followed(root: JsonObject, value: Json | undefined): JsonObject {
  let found = objectOf(value);
  for (let depth = 0; depth < 10 && typeof found.$ref === "string"; depth += 1) {
    const steps = found.$ref.startsWith("#/") ? found.$ref.slice(2).split("/") : [];
    let inner: Json | undefined = steps.length > 0 ? root : undefined;
    for (const step of steps) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      inner = isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
    }
    found = objectOf(inner);
  }
  return found;
}

/** Parts of schemas that are joined for one; nested ones can be many. */
const maxParts = 200;

/**
 * A schema with what it takes over by `allOf`, and by an `anyOf` or `oneOf` of one kind and null. Properties and what is
 * required of all parts count together; of the rest, a schema's own words count before those of its parts.
 */
function joined(root: JsonObject, value: Json | undefined, budget = { left: maxParts }): JsonObject {
  const own = followed(root, value);
  budget.left -= 1;
  if (budget.left < 0) return own;
  const choices = [...listOf(own.anyOf), ...listOf(own.oneOf)].filter((one) => followed(root, one).type !== "null");
  const parts = [...listOf(own.allOf), ...(choices.length === 1 ? choices : [])];
  return [...parts.map((part) => joined(root, part, budget)), own].reduce((whole, part) => ({
    ...whole,
    ...part,
    ...(whole.properties || part.properties
      ? { properties: { ...objectOf(whole.properties), ...objectOf(part.properties) } }
      : {}),
    ...(whole.required || part.required ? { required: [...listOf(whole.required), ...listOf(part.required)] } : {}),
  }));
}

function operationsOf(root: JsonObject): Operation[] {
  return Object.entries(objectOf(root.paths)).flatMap(([path, raw]) => {
    const item = followed(root, raw);
    return methods.flatMap((method) => {
      const described = item[method];
      if (!isJsonObject(described)) return [];
      const own = listOf(described.parameters).map((one) => followed(root, one));
      const shared = listOf(item.parameters).map((one) => followed(root, one));
      const rest = shared.filter((one) => !own.some((each) => each.name === one.name && each.in === one.in));
      const lists = [described.servers, item.servers, root.servers].map((one) => listOf(one).map(objectOf));
      const servers = lists.find((list) => list.length > 0) ?? [];
      return [{ method: method.toUpperCase(), path, parameters: [...rest, ...own], described, servers }];
    });
  });
}

/** The address of the API, with the usual values of its parts. */
function baseOf([server]: readonly JsonObject[]): string {
  const { url, variables } = objectOf(server);
  const filled = textOf(url).replace(/\{([^{}]{1,100})\}/g, (_, name: string) =>
    textOf(objectOf(objectOf(variables)[name]).default),
  );
  return filled.replace(/\/+$/, "");
}

/** The type that `ai(…)` asks for. */
function typeOf(root: JsonObject, schema: Json | undefined): string {
  const { type, properties } = joined(root, schema);
  const one = (Array.isArray(type) ? type.find((each) => each !== "null") : type) ?? (properties && "object");
  return ["string", "number", "integer", "boolean", "array", "object"].includes(textOf(one)) ? textOf(one) : "string";
}

const aiName = (name: string) => name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "value";

function asks(name: string, words: string, type: string, usual?: Json): string {
  const last = usual === undefined ? "" : `, ${typeof usual === "string" ? quoted(usual) : JSON.stringify(usual)}`;
  return `{{ai(${quoted(aiName(name))}, ${quoted(words.slice(0, 500))}, ${quoted(type)}${last})}}`;
}

/** Names and types of an object's fields, in words for the model. */
function fieldWords(root: JsonObject, schema: JsonObject): string {
  const required = listOf(schema.required);
  return Object.entries(objectOf(schema.properties))
    .slice(0, 40)
    .map(([name, raw]) => {
      const words = textOf(joined(root, raw).description).slice(0, 80);
      const must = required.includes(name) ? "" : ", optional";
      return `${name} (${typeOf(root, raw)}${must})${words === "" ? "" : `: ${words}`}`;
    })
    .join("; ");
}

/** The header by which a service knows a request that comes again. */
function isKey(parameter: JsonObject): boolean {
  return parameter.in === "header" && /^idempotency-key$/i.test(textOf(parameter.name));
}

/** One operation as a tool that the model fills in. */
function toolOf(root: JsonObject, { method, path, parameters, described, servers }: Operation): Made {
  const left: string[] = [];
  const query: Record<string, string> = {};
  const headers: Record<string, string> = {};
  let lists = "repeated";
  const inPath = new Map<string, string>();
  for (const one of parameters) {
    const name = textOf(one.name);
    // The studio gives each writing request a key of its own.
    if (isKey(one) && (one.required !== true || !["GET", "HEAD"].includes(method))) continue;
    const schema = joined(root, one.schema);
    const words = textOf(one.description) || name;
    const options = listOf(schema.enum).filter((each) => typeof each === "string");
    const told = options.length > 0 ? `${words} (one of: ${options.join(", ")})` : words;
    const call = (usual?: Json) => asks(name, told, typeOf(root, one.schema), usual);
    if (one.in === "path") inPath.set(`{${name}}`, call());
    else if (one.in === "cookie" || (one.required !== true && schema.default === undefined)) left.push(name);
    else {
      if (one.in === "query" && one.explode === false) lists = "commas";
      (one.in === "header" ? headers : query)[name] = call(one.required === true ? undefined : schema.default);
    }
  }
  const url = `${baseOf(servers)}${path}`
    .split(/(\{[^{}]*\})/)
    .map((part) => inPath.get(part) ?? plainText(part))
    .join("");
  const body = followed(root, described.requestBody);
  const content = objectOf(body.content);
  const json = Object.keys(content).find((key) => /json/i.test(key));
  const form = "application/x-www-form-urlencoded" in content;
  const schema = joined(root, objectOf(content[json ?? "application/x-www-form-urlencoded"]).schema);
  const sent: JsonObject =
    json !== undefined
      ? {
          body: asks(
            "body",
            `The JSON to send. ${fieldWords(root, schema)}`.trim(),
            typeOf(root, schema) === "array" ? "array" : "object",
          ),
        }
      : form
        ? { bodyType: "form", form: formFields(root, schema, left) }
        : {};
  const name = textOf(described.operationId) || `${method.toLowerCase()}_${path}`;
  const words = [textOf(described.summary), textOf(described.description)].filter(Boolean).join(". ");
  const needs = signs(root, described);
  const files = Object.keys(content).length > 0 && json === undefined && !form;
  const notes = [
    ...(left.length > 0 ? [`Left out, since they are optional: ${left.join(", ")}.`] : []),
    ...(files ? ["Its body is of a kind that is not sent: write it yourself."] : []),
    ...(/^https?:\/\//.test(url) ? [] : ["The document names no address: complete the URL."]),
  ];
  return {
    step: {
      type: "http-request-tool",
      config: {
        toolName: toolName(name),
        toolDescription: (words || `${method} ${path}`).slice(0, 4_000),
        method,
        url,
        query,
        ...(lists === "repeated" ? {} : { queryLists: lists }),
        headers,
        ...sent,
        ...(parameters.some(isKey) ? { afterCrash: "repeat" } : {}),
      },
    },
    output: () => "tool",
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
    ...(needs === "" ? {} : { needs }),
  };
}

function formFields(root: JsonObject, schema: JsonObject, left: string[]): JsonObject {
  const required = listOf(schema.required);
  const fields = Object.entries(objectOf(schema.properties)).flatMap(([name, raw]): [string, Json][] => {
    if (!required.includes(name)) {
      left.push(name);
      return [];
    }
    return [[name, asks(name, textOf(joined(root, raw).description) || name, typeOf(root, raw))]];
  });
  return Object.fromEntries(fields);
}

/** The credential that an operation asks for, in words. */
function signs(root: JsonObject, described: JsonObject): string {
  const wanted = listOf(described.security ?? root.security).map(objectOf);
  if (wanted.length === 0 || wanted.some((one) => Object.keys(one).length === 0)) return "";
  const [name = ""] = Object.keys(wanted[0] ?? {});
  const scheme = followed(root, objectOf(objectOf(root.components).securitySchemes)[name]);
  if (scheme.type === "http" && scheme.scheme === "basic") return "a credential (user and password)";
  if (scheme.type === "apiKey") return `a credential (API key, ${textOf(scheme.in, "header")} ${textOf(scheme.name)})`;
  return "a credential (bearer token)";
}

/** One operation of an API, to be chosen as a tool. */
export interface ApiOperation {
  /** Unique within the document, such as `GET /orders/{id}`. */
  id: string;
  title: string;
  summary: string;
  /** The credential that it asks for, in words; empty for none. */
  needs: string;
  /** What of it does not come along, in words; empty for nothing. */
  note: string;
  /** Settings of an HTTP request tool. */
  config: JsonObject;
}

/** The operations of an API, or why there are none. */
export type ApiOperations = { ok: true; title: string; operations: ApiOperation[] } | { ok: false; problem: string };

/** Reads the operations of an OpenAPI document, each as the settings of a tool. Nothing is asked for. Never throws. */
export function readOperations(source: JsonObject): ApiOperations {
  const root = objectOf(safeJson(source));
  const found = foundIn(root);
  if (!found.ok) return found;
  const operations = found.operations.map((operation): ApiOperation => {
    const { method, path, described } = operation;
    const made = toolOf(root, operation);
    return {
      id: `${method} ${path}`,
      title: textOf(described.operationId) || textOf(described.summary) || `${method} ${path}`,
      summary: textOf(described.summary) || textOf(described.description),
      needs: made.needs ?? "",
      note: made.note ?? "",
      config: made.step?.config ?? {},
    };
  });
  return { ok: true, title: textOf(objectOf(root.info).title) || "API", operations };
}

function foundIn(root: JsonObject): { ok: true; operations: Operation[] } | { ok: false; problem: string } {
  if (typeof root.openapi !== "string" || !root.openapi.startsWith("3."))
    return { ok: false, problem: "Only OpenAPI 3.0 and 3.1 are read: convert the document first." };
  const operations = operationsOf(root);
  return operations.length === 0
    ? { ok: false, problem: "The document describes no operation." }
    : { ok: true, operations };
}

/** Imports a description of an API: an agent with a tool for each operation. Nothing is asked for. Never throws. */
export function importOpenApi(source: JsonObject, registry: NodeRegistry, id: string): Assembled {
  const root = objectOf(safeJson(source));
  const found = foundIn(root);
  if (!found.ok) return found;
  const info = objectOf(root.info);
  const operations = new Map(found.operations.map((one, index) => [`o${index}`, one]));
  const nodes: FlowNode[] = [
    { id: "start", name: "Chat", type: "start", position: { x: 0, y: 0 }, data: {}, added: true },
    { id: "agent", name: "Agent", type: "agent", position: { x: 320, y: 0 }, data: {}, added: true },
    ...[...operations].map(([key, { method, path, described }], index) => ({
      id: key,
      name: textOf(described.operationId) || `${method} ${path}`,
      type: `${method} ${path}`,
      position: { x: 700 + (index % 4) * 300, y: Math.floor(index / 4) * 150 },
      data: {},
    })),
  ];
  const tools = [...operations.keys()];
  const edges: FlowEdge[] = [
    { from: "start", fromHandle: "", to: "agent", toHandle: "main", added: true },
    ...tools
      .slice(0, mostTools)
      .map((from): FlowEdge => ({ from, fromHandle: "tool", to: "agent", toHandle: "tools", added: true })),
  ];
  const name = textOf(info.title) || "Imported API";
  const graph = { format: "openapi", name, description: textOf(info.description), nodes, edges, lost: [] };
  return assemble(
    graph,
    (node): Made => {
      const operation = operations.get(node.id);
      if (node.id === "start") return { step: { type: "chat-trigger", config: {} } };
      if (!operation) return agentOf(name);
      if (tools.indexOf(node.id) < mostTools) return toolOf(root, operation);
      return {
        outcome: "approximated",
        note: `Left out: an agent has ${mostTools} tools at most. Take the operations that you need into a document of their own.`,
      };
    },
    { registry, id, scale: 1 },
  );
}

const agentOf = (name: string): Made => ({
  step: {
    type: "ai-agent",
    config: {
      systemPrompt: `You work with the API “${plainText(name)}”. Use its tools.`,
      userMessage: "{{json.message}}",
    },
  },
  services: [{ type: "demo-model", title: "Demo model", config: {}, output: "model", input: "model" }],
  input: (handle) => (handle === "tools" ? "tools" : "main"),
});
