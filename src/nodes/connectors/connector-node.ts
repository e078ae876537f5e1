import type { JsonObject, Json } from "../../engine/json.ts";
import type { Connector, Operation, Parameter } from "./connector.ts";
import { isWriting } from "../http/http-methods.ts";
import { placeOf } from "./place-of.ts";

/** As what an operation is added: a tool that a model calls, or a step of the flow. */
export type ConnectorUse = "tool" | "step";

/** A node that is ready but for its credential: its type, what it is called, and its settings. */
export interface ConnectorNode {
  type: "http-request-tool" | "http-request";
  title: string;
  config: JsonObject;
}

/**
 * An operation of a connector as a node of the studio's own HTTP types, so that all that is true of them (guards, approvals,
 * logs, export) is true of it.
 */
export function connectorNode(connector: Connector, operation: Operation, use: ConnectorUse): ConnectorNode {
  const { method, query, writes, repeatable } = operation;
  const value = (parameter: Parameter) => valueOf(parameter, use);
  const fixed = (texts: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, filledText(text, operation.parameters, use)]),
    );
  const config: JsonObject = {
    connector: connector.id,
    needsCredential: connector.credential !== undefined && !connector.credential.optional,
    method,
    url: urlOf(connector, operation, use),
    query: { ...fixed(query), ...placed(operation, "query", value) },
    headers: { ...fixed(connector.headers), ...fixed(operation.headers), ...placed(operation, "header", value) },
    ...bodyOf(operation, use),
    leaveOutEmpty: true,
    errorPath: connector.errorAt ?? "",
    ...(isWriting(method) ? { afterCrash: repeatable || !writes ? "repeat" : "ask" } : {}),
    ...pagingOf(operation),
  };
  const title = `${connector.title}: ${operation.title}`;
  if (use === "step") return { type: "http-request", title, config: { ...config, result: "body" } };
  const content = operation.parameters.filter((one) => one.content).map(({ name }) => name);
  const named = {
    toolName: `${connector.id}_${operation.id}`.replaceAll("-", "_").slice(0, 64),
    toolDescription: `${operation.summary} (${connector.title})`,
    ...(writes ? { approval: "ask-after-untrusted" } : { readOnly: true }),
    ...(content.length > 0 ? { content } : {}),
  };
  return { type: "http-request-tool", title, config: { ...named, ...config } };
}

/** Text that no template makes anything of. */
const plainText = (text: string) => text.replaceAll("{{", '{{"{{"}}');

/** The expression for a parameter: what the model gives, or what the node before gives. */
function expressionOf({ name, help, type, required, default: usual = null }: Parameter, use: ConnectorUse): string {
  const quoted = JSON.stringify;
  if (use === "step") return /^[A-Za-z_]\w*$/.test(name) ? `json.${name}` : `json[${quoted(name)}]`;
  const last = required ? "" : `, ${quoted(usual)}`;
  return `ai(${quoted(name)}, ${quoted(help)}, ${quoted(type)}${last})`;
}

/** A parameter as the text of a field. What a step can do without begins with its default, for a person to fill in. */
function valueOf(parameter: Parameter, use: ConnectorUse): string {
  if (use === "step" && !parameter.required) return textOf(parameter.default);
  return `{{${expressionOf(parameter, use)}}}`;
}

function textOf(usual: Json | undefined): string {
  if (usual === undefined || usual === null) return "";
  return plainText(typeof usual === "string" ? usual : JSON.stringify(usual));
}

function placed(
  { parameters, query, headers }: Operation,
  place: Parameter["in"],
  value: (parameter: Parameter) => string,
): Record<string, string> {
  const texts = Object.values({ ...query, ...headers });
  const own = parameters.filter((one) => one.in === place && !texts.some((text) => text.includes(`{${one.name}}`)));
  return Object.fromEntries(own.map((one) => [one.key ?? one.name, value(one)]));
}

function urlOf({ baseUrl }: Connector, { path, parameters, baseUrl: own }: Operation, use: ConnectorUse): string {
  return `${own ?? baseUrl}${filledText(path, parameters, use)}`;
}

function bodyOf(operation: Operation, use: ConnectorUse): JsonObject {
  const { body, bodyType, parameters } = operation;
  const inBody = parameters.filter((one) => one.in === "body");
  if (body === undefined && inBody.length === 0) return {};
  if (bodyType === "form") return { bodyType: "form", form: placed(operation, "body", (one) => valueOf(one, use)) };
  if (bodyType === "text") return { body: filledText(String(body), inBody, use) };
  const shape = body ?? Object.fromEntries(inBody.map((one) => [one.key ?? one.name, `{${one.name}}`]));
  return { body: writtenJson(shape, inBody, use, "") };
}

/** JSON as text, with each parameter as an expression that gives JSON. */
function writtenJson(value: Json, parameters: readonly Parameter[], use: ConnectorUse, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0 ? "[]" : `[${value.map((one) => writtenJson(one, parameters, use, indent)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const lines = Object.entries(value).map(
      ([name, one]) => `${inner}${JSON.stringify(name)}: ${writtenJson(one, parameters, use, inner)}`,
    );
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
  }
  const parameter = parameters.find(({ name }) => value === `{${name}}`);
  if (parameter === undefined) return plainText(JSON.stringify(value));
  if (use === "step" && !parameter.required) return plainText(JSON.stringify(parameter.default ?? ""));
  return `{{${expressionOf(parameter, use)}}}`;
}

/** What may stand before a name in a text: the value in one line, or encoded. */
const textForms = {
  line: (expression: string) => `replacePattern(${expression}, "[\\\\r\\\\n]+", " ", "g")`,
  base64: (expression: string) => `encodeBase64(${expression})`,
} as const;

/** A text in which `{name}` stands for a parameter, `{line:name}` for it in one line, `{base64:name}` for it encoded. */
function filledText(text: string, parameters: readonly Parameter[], use: ConnectorUse): string {
  return plainText(text).replace(placeOf, (whole, form: string | undefined, name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    if (parameter === undefined) return whole;
    const expression = expressionOf(parameter, use);
    return `{{${form === "line" || form === "base64" ? textForms[form](expression) : expression}}}`;
  });
}

function pagingOf({ paging }: Operation): JsonObject {
  if (paging === undefined) return {};
  const { kind, parameter = "", next = "", items = "" } = paging;
  return { paging: kind, pageParameter: parameter, nextPath: next, itemsPath: items };
}
