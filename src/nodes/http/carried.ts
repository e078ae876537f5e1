import {
  type ExactJson,
  exactText,
  isJsonObject,
  type Json,
  parseExactJson,
  parseJson,
  valueOrExactText,
} from "../../engine/json.ts";
import type { RunFiles } from "../../engine/file/run-files.ts";
import { compileTemplate } from "../../engine/template/resolve-template.ts";
import { valueText } from "../../engine/template/encode.ts";
import type { FormPart, HttpRequest, Query } from "./sent-request.ts";
import type { RequestSettings } from "./request-fields.ts";

const formType = "application/x-www-form-urlencoded";

type Carried = { headers: Record<string, string> } & Pick<HttpRequest, "body" | "file" | "parts">;

/** The run's files, among which a value is looked for. */
type Files = Pick<RunFiles, "find">;

/**
 * The headers and body that are sent: no body where the field is empty or the method has none, and a form or a text that
 * looks like JSON says so, unless the headers say otherwise. Values without content stay away where that is wanted; `written`
 * is the body as it stands in the settings, since only what stands there is a member of the request: what is null within an
 * inserted value is meant so.
 */
export function carried(settings: RequestSettings, written: Json | undefined, files: Files): Carried {
  const { method, bodyType, leaveOutEmpty } = settings;
  const headers = leaveOutEmpty ? filled(settings.headers) : settings.headers;
  if (method === "GET" || method === "HEAD") return { headers };
  switch (bodyType) {
    case "form": {
      const form = leaveOutEmpty ? filled(settings.form) : settings.form;
      return Object.keys(form).length === 0 ? { headers } : formBody(headers, form);
    }
    case "multipart": {
      const parts = Object.entries(settings.parts).map(([name, value]) => partOf(name, value, files));
      return { headers, parts: leaveOutEmpty ? parts.filter((part) => "file" in part || part.value !== "") : parts };
    }
    case "auto": {
      const file = fileIn(settings.body, files);
      if (file) return { headers, file };
      const body = leaveOutEmpty ? filledBody(settings.body, written ?? "") : settings.body;
      if (body === "" || body === null) return { headers };
      const isJson = typeof body !== "string" || /^\s*[[{]/.test(body);
      return { headers: isJson ? withType(headers, "application/json") : headers, body };
    }
    default:
      return bodyType satisfies never;
  }
}

/** The file that a body is, also where it was inserted into a text. */
function fileIn(body: Json, files: Files) {
  const isText = typeof body === "string";
  return files.find(isText ? (body.includes('"$file"') ? parseJson(body) : undefined) : body);
}

function partOf(name: string, value: Json, files: Files): FormPart {
  const file = fileIn(value, files);
  return file ? { name, file } : { name, value: valueText(value) };
}

/**
 * The parameters that are sent. `written` is the query as it stands in the settings: a list there is several rows of one name,
 * each of which goes out by itself; any other list goes out as the settings say, and one without items not at all but as JSON.
 */
export function carriedQuery(
  { query, queryLists, leaveOutEmpty }: Pick<RequestSettings, "query" | "queryLists" | "leaveOutEmpty">,
  written?: Json,
): Query {
  const sent = new Map<string, string[]>();
  for (const [name, value] of Object.entries(query)) {
    const rows = isJsonObject(written) && Array.isArray(written[name]) && Array.isArray(value) ? value : [value];
    for (const row of rows) {
      const isList = Array.isArray(row) && queryLists !== "json";
      const texts = (isList ? row : [row]).map(valueText).filter((text) => !leaveOutEmpty || text !== "");
      if (texts.length === 0) continue;
      const key = isList && queryLists === "brackets" && !name.endsWith("[]") ? `${name}[]` : name;
      const added = isList && queryLists === "commas" ? [texts.join(",")] : texts;
      sent.set(key, [...(sent.get(key) ?? []), ...added]);
    }
  }
  return Object.fromEntries(
    [...sent].map(([name, [first = "", ...more]]) => [name, more.length === 0 ? first : [first, ...more]]),
  );
}

/** The fields of a web form as a body, each name and value encoded. */
export function formBody(headers: Record<string, string>, form: Record<string, string>): Carried {
  return { headers: withType(headers, formType), body: new URLSearchParams(form).toString() };
}

function withType(headers: Record<string, string>, type: string): Record<string, string> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return named ? headers : { ...headers, "content-type": type };
}

function filled(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));
}

/** A text that is JSON stays a text; any other text has no members. */
function filledBody(body: Json, written: Json): Json {
  const shape = shapeOf(written);
  if (typeof body !== "string") return valueOrExactText(pruned(body, shape) ?? {});
  const value = /^\s*[[{]/.test(body) ? parseExactJson(body) : undefined;
  return value === undefined ? body : exactText(pruned(value, shape) ?? {});
}

/** What a body is made of before anything is inserted: JSON in which each expression is an empty text. */
function shapeOf(written: Json): Json {
  if (typeof written !== "string") return written;
  let text = "";
  let isInside = false;
  for (const part of compileTemplate(written).parts) {
    if (part.kind === "text") isInside = part.insideJsonText;
    text += part.kind === "text" ? part.text : isInside ? "" : '""';
  }
  return parseJson(text) ?? "";
}

/** A value without the members of its shape that hold nothing: null, empty text, and objects of which nothing is left. */
function pruned(value: ExactJson, shape: Json): ExactJson | undefined {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value) && Array.isArray(shape))
    return value.map((item, at) => pruned(item, shape[at] ?? "") ?? item);
  if (!isJsonObject(value) || !isJsonObject(shape)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, ExactJson][] => {
    const kept = pruned(inner, Object.hasOwn(shape, name) ? (shape[name] ?? "") : "");
    return kept === undefined ? [] : [[name, kept]];
  });
  return entries.length === 0 && Object.keys(shape).length > 0 ? undefined : Object.fromEntries(entries);
}
