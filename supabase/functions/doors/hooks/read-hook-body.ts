import { isJsonObject, type Json, type JsonObject } from "../../../../src/engine/json.ts";
import { decodeText } from "../../../../src/engine/text/decode-text.ts";
import { isTextType } from "../../../../src/engine/text/text-type.ts";
import { wellFormed } from "../../../../src/engine/well-formed.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { JsonScan, maxJsonDepth, maxJsonValues } from "../../_shared/json-scan.ts";
import { toBase64 } from "../../_shared/webhooks/signature-bytes.ts";
import { readFormFields } from "./read-form.ts";
import { parseLosslessJson } from "../../../../src/engine/lossless-json.ts";
import { isMultipart, limited, maxFields, readParts } from "../read-parts.ts";

/**
 * A body by its content type: JSON as it is; the fields of a form, where one that comes several times is a list; text. What is
 * no text becomes `{ type, size, base64 }`, and a file of a form has its `name` besides. No body is null. Throws DoorProblem
 * for JSON or a form that cannot be read.
 */
export async function readHookBody(bytes: Uint8Array<ArrayBuffer>, contentType: string | null): Promise<Json> {
  if (bytes.byteLength === 0) return null;
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
  if (type === "application/json" || type.endsWith("+json")) return wellFormed(readJson(bytes, contentType ?? ""));
  if (type === "application/x-www-form-urlencoded") return wellFormed(readForm(bytes, charset));
  if (isMultipart(type)) return wellFormed(await readFormParts(bytes, contentType ?? ""));
  return contentOf(bytes, contentType ?? "");
}

/** The parameters of an address; one that comes several times is a list. */
export function readQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of [...parameters].slice(0, maxFields)) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    const next = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
    define(query, name, next);
  }
  return wellFormed(query);
}

/** The bytes as UTF-8; undefined where they are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readJson(bytes: Uint8Array, contentType: string): Json {
  const text = decodeText(bytes, { contentType }) ?? "";
  const exceeded = new JsonScan({ depth: maxJsonDepth, values: maxJsonValues }).read(new TextEncoder().encode(text));
  if (exceeded !== null)
    throw new DoorProblem(problems.badRequest("The JSON is nested too deeply or has too many values."));
  try {
    return parseLosslessJson(text) as Json;
  } catch {
    throw new DoorProblem(problems.badRequest("The request's body is not JSON, although its content type says so."));
  }
}

function readForm(bytes: Uint8Array, charset: string | undefined): JsonObject {
  const form: JsonObject = {};
  for (const [name, value] of limited(readFormFields(bytes, charset))) addField(form, name, value);
  return form;
}

async function readFormParts(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<JsonObject> {
  const form: JsonObject = {};
  for (const [name, value] of await readParts(bytes, contentType)) {
    if (typeof value === "string") {
      addField(form, name, value);
      continue;
    }
    const content = contentOf(new Uint8Array(await value.arrayBuffer()), value.type);
    const file = isJsonObject(content) ? content : { type: value.type, size: value.size, text: content };
    addField(form, name, { name: value.name, ...file });
  }
  return form;
}

/** Adds a field to a form; one that comes several times is a list. */
export function addField(form: JsonObject, name: string, value: Json): void {
  const before = Object.hasOwn(form, name) ? form[name] : undefined;
  define(form, name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]);
}

/** Also for names that objects inherit. */
function define<Value>(record: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
}

/** A type that is none of text has to be UTF-8 to be read as one. */
function contentOf(bytes: Uint8Array<ArrayBuffer>, contentType: string): Json {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const named = isTextType(type) || /;\s*charset\s*=/i.test(contentType);
  const text = named ? decodeText(bytes, { contentType }) : textOf(bytes);
  if (text !== undefined && !text.includes("\0")) return wellFormed(text);
  return { type, size: bytes.byteLength, base64: toBase64(bytes) };
}
