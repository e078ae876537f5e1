import type { AiType } from "../../engine/template/ai-call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { htmlText } from "../flow/html-text.ts";
import { parsed, textOf } from "./read-flowise.ts";

/** One argument that Flowise describes to the model. */
interface Argument {
  name: string;
  help: string;
  type: AiType;
  required: boolean;
  inPath: boolean;
}

const types: Readonly<Record<string, AiType>> = {
  number: "number",
  boolean: "boolean",
  object: "object",
  array: "array",
};

/** What an editor of Flowise keeps, which may be HTML. */
const plain = (value: Json | undefined): Json | undefined =>
  typeof value === "string" ? htmlText(value).trim() : value;

/** An object, which Flowise also keeps as text; empty where there is none, undefined where it cannot be read. */
function object(value: Json | undefined): JsonObject | undefined {
  const read = parsed(plain(value));
  if (read === undefined || read === null || read === "") return {};
  return isJsonObject(read) ? read : undefined;
}

/** Text that no template makes anything of. */
const fixedText = (text: string) => text.replaceAll("{{", '{{"{{"}}');

const fixedJson = (value: Json): string => fixedText(JSON.stringify(value));

function argumentsOf(schema: JsonObject): Argument[] {
  return Object.entries(schema).flatMap(([name, described]) => {
    if (!isJsonObject(described) || name === "") return [];
    const type = Object.hasOwn(types, textOf(described.type)) ? types[textOf(described.type)] : undefined;
    return [
      {
        name,
        help: textOf(described.description) || name,
        type: type ?? "string",
        required: described.required === true,
        inPath: described.in === "path",
      },
    ];
  });
}

/** Asks the model for an argument; one that is not required is left out where the model gives none. */
function asked({ name, help, type, required }: Argument, usual: Json): string {
  const last = required ? "" : `, ${JSON.stringify(usual)}`;
  return `{{ai(${JSON.stringify(name)}, ${JSON.stringify(help)}, ${JSON.stringify(type)}${last})}}`;
}

/** An address in which `:id` stands for an argument; one without such a place comes at the end. */
function address(url: string, inPath: readonly Argument[]): string {
  return inPath.reduce((path, one) => {
    const text = asked({ ...one, type: "string" }, "");
    const [place] = new RegExp(`:${one.name.replace(/\W/g, "\\$&")}\\b`).exec(path) ?? [];
    return place === undefined ? `${path.replace(/\/$/, "")}/${text}` : path.replaceAll(place, () => text);
  }, fixedText(url));
}

/**
 * The request of Flowise's tools Requests Get, Post, Put and Delete: arguments of the query or of the body are asked for by
 * their schema, and what is fixed is sent with them. Undefined where it has no address, or a part that cannot be read.
 */
export function requestTool(name: string, config: JsonObject): JsonObject | undefined {
  const url = textOf(plain(textOf(config.url) || config[`${name}Url`]));
  if (url === "") return undefined;
  const method = name.replace("requests", "").toUpperCase();
  const headers = object(config.headers ?? config[`${name}Headers`]);
  const query = object(config[`${name}QueryParamsSchema`]);
  const body = object(config[`${name}BodySchema`]);
  const fixed = object(config.body ?? config[`${name.replace("requests", "request")}Body`]);
  if (!headers || !query || !body || !fixed) return undefined;
  const inUrl = argumentsOf(query);
  const inBody = argumentsOf(body);
  const names = new Set(inBody.map((one) => one.name));
  const members = [
    ...Object.entries(fixed).flatMap(([key, value]) => (names.has(key) ? [] : [[key, fixedJson(value)]])),
    ...inBody.map((one) => [one.name, asked(one, Object.hasOwn(fixed, one.name) ? (fixed[one.name] ?? null) : null)]),
  ].map(([key = "", value = ""]) => `  ${fixedJson(key)}: ${value}`);
  const most = Number(config.maxOutputLength ?? config[`${name}MaxOutputLength`]);
  return {
    url: address(
      url,
      inUrl.filter(({ inPath }) => inPath),
    ),
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, fixedText(String(value))])),
    query: Object.fromEntries(
      inUrl.filter(({ inPath }) => !inPath).map((one) => [one.name, asked({ ...one, type: "string" }, "")]),
    ),
    ...(members.length > 0 ? { body: `{\n${members.join(",\n")}\n}` } : {}),
    leaveOutEmpty: true,
    ...(most >= 1 ? { maxResultChars: Math.min(1_000_000, Math.max(100, Math.round(most))) } : {}),
  };
}
