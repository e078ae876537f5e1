import { isJsonObject, type Json, type JsonObject } from "../json.ts";

/** A value that a document is found by: a text, a number, yes or no, or a list of texts such as tags. */
export type MetadataValue = string | number | boolean | readonly string[];

/** What is noted with a document, by name. */
export type DocumentMetadata = Readonly<Record<string, MetadataValue>>;

/** The most of each; the database refuses more fields as well. */
export const metadataLimits = { fields: 32, nameLength: 64, textLength: 500, listLength: 50 };

/** What passages say of their place; the fields that every collection has. */
export const placeFields = {
  document: "text",
  page: "number",
  row: "number",
  entry: "number",
  slide: "number",
} as const;

/** Names that mean something else, in a passage or in a filter. */
const reservedNames: ReadonlySet<string> = new Set([
  ...Object.keys(placeFields),
  "documentId",
  "chunkId",
  "heading",
  "position",
  "untrusted",
  "and",
  "or",
  "not",
  "in",
  "true",
  "false",
  "starts",
  "with",
]);

const nameShape = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** What is added to a document's metadata; null removes the field of that name. */
export type MetadataChange = Readonly<Record<string, MetadataValue | null>>;

/** Metadata that were given, or what is wrong with them. */
export type ReadMetadata = { ok: true; metadata: MetadataChange } | { ok: false; message: string; hint: string };

/** Reads what a person, a program or a template gave. */
export function readMetadata(given: Json | undefined): ReadMetadata {
  if (given === undefined || given === null) return { ok: true, metadata: {} };
  if (!isJsonObject(given)) {
    return {
      ok: false,
      message: "Metadata must be an object of names and values.",
      hint: 'Write them as { "team": "sales" }.',
    };
  }
  const names = Object.keys(given);
  const { fields } = metadataLimits;
  if (names.length > fields) {
    const message = `A document has at most ${fields} fields of metadata; these are ${names.length}.`;
    return { ok: false, message, hint: "Leave out fields that nobody filters by." };
  }
  const metadata: Record<string, MetadataValue | null> = {};
  for (const [name, value] of Object.entries(given)) {
    const problem = nameProblem(name);
    if (problem !== undefined) return { ok: false, ...problem };
    const read = readValue(value);
    if (read === undefined) return { ok: false, ...valueProblem(name) };
    metadata[name] = read;
  }
  return { ok: true, metadata };
}

/** What of a document's own description can be metadata; the rest is left out. */
export function validMetadata(description: JsonObject): DocumentMetadata {
  const fitting = Object.entries(description).flatMap(([name, value]): [string, MetadataValue][] => {
    const read = nameProblem(name) === undefined ? readValue(value) : undefined;
    return read === undefined || read === null ? [] : [[name, read]];
  });
  return Object.fromEntries(fitting.slice(0, metadataLimits.fields));
}

/** A typed text as the value that it says: `2025` is a number, `true` is yes, quotes keep it a text: `"007"`. */
export function typedValue(typed: string): string | number | boolean {
  const text = typed.trim();
  if (text === "true" || text === "false") return text === "true";
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(text)) return Number(text);
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? [];
  return quoted ?? text;
}

/** As `typedValue` reads it. */
export function typedText(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  return typedValue(value) === value ? value : `"${value}"`;
}

/** Metadata as JSON. */
export function metadataJson(metadata: DocumentMetadata): JsonObject {
  const named = Object.entries(metadata);
  return Object.fromEntries(named.map(([name, value]) => [name, typeof value === "object" ? [...value] : value]));
}

/** What a document has once these are added: others stay, null removes. */
export function mergeMetadata(present: DocumentMetadata, added: MetadataChange): DocumentMetadata {
  const merged = Object.entries({ ...present, ...added });
  return Object.fromEntries(merged.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function nameProblem(name: string): { message: string; hint: string } | undefined {
  const { nameLength } = metadataLimits;
  if (reservedNames.has(name)) {
    return {
      message: `"${name}" cannot be the name of metadata.`,
      hint: "It has a meaning of its own. Choose another name.",
    };
  }
  if (nameShape.test(name) && name.length <= nameLength) return undefined;
  const message = `"${name.slice(0, nameLength)}" cannot be the name of metadata.`;
  return { message, hint: `Use at most ${nameLength} letters, digits, - and _, beginning with a letter.` };
}

function valueProblem(name: string): { message: string; hint: string } {
  const { textLength, listLength } = metadataLimits;
  return {
    message: `The value of "${name}" cannot be stored as metadata.`,
    hint: `Use a text of at most ${textLength} characters, a number, true, false, or a list of at most ${listLength} texts.`,
  };
}

/** Undefined for what is no value. */
function readValue(value: Json | undefined): MetadataValue | null | undefined {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "string") return readText(value);
  if (!Array.isArray(value) || value.length === 0 || value.length > metadataLimits.listLength) return undefined;
  const texts = value.flatMap((one) => (typeof one === "string" ? (readText(one) ?? []) : []));
  return texts.length === value.length ? texts : undefined;
}

function readText(text: string): string | undefined {
  const plain = text
    .replaceAll("\0", "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .trim();
  return plain.length > metadataLimits.textLength || plain === "" ? undefined : plain;
}
