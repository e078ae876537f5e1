import type { TemplatePlace } from "../config/field.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { AiCall, AiType } from "./ai-call.ts";
import { isIdentifier } from "./path.ts";
import { compileTemplate, resolveTemplate } from "./resolve-template.ts";
import type { TemplateScope } from "./scope.ts";
import { holdsTemplate } from "./split-template.ts";
import { TemplateProblem } from "./template-problem.ts";

/** One thing that could stand at the cursor. */
export interface Completion {
  label: string;
  /** What it is: the value's type, or a function's use. */
  detail: string;
  /** The value itself in a few characters; absent for functions and times. */
  sample?: string;
  /** The text to put in place of everything from `from` to the cursor. */
  insert: string;
}

/** What could stand at the cursor; `from` is where the replaced text starts. */
export interface Completions {
  from: number;
  options: Completion[];
}

/** What a template gives right now, or what is wrong with it. */
export type Preview =
  | { ok: true; value: Json }
  | { ok: false; kind: TemplateProblem["kind"]; message: string; hint: string; position: number };

const functions: readonly Completion[] = [
  { label: "size", detail: "size(list) → number", insert: "size(" },
  { label: "string", detail: "string(value) → text", insert: "string(" },
  { label: "int", detail: "int(value) → whole number", insert: "int(" },
  { label: "double", detail: "double(value) → number", insert: "double(" },
  { label: "has", detail: "has(json.name) → is it there?", insert: "has(" },
  { label: "duration", detail: 'duration("1h30m")', insert: "duration(" },
  { label: "timestamp", detail: 'timestamp("2026-01-31T12:00:00Z")', insert: "timestamp(" },
];

const aiFunction: Completion = {
  label: "ai",
  detail: 'ai("name", "what it is", "string"): the model fills it in',
  insert: 'ai("',
};

const mostOptions = 100;

/**
 * Names that fit at the cursor, from the data in the scope; undefined outside of an expression. `cursor` counts
 * characters from the start of the field's text. With `ai`, the function that lets a model fill in a part is offered.
 */
export function completeTemplate(
  text: string,
  cursor: number,
  scope: TemplateScope,
  { ai = false }: { ai?: boolean } = {},
): Completions | undefined {
  const before = text.slice(0, cursor);
  const open = before.lastIndexOf("{{");
  if (open === -1 || before.indexOf("}}", open) !== -1) return undefined;
  const source = before.slice(open + 2);
  if (insideQuotes(source)) return undefined;
  const path = /(?:^|[^\w.\]])((?:[A-Za-z_]\w*(?:\[\d+\])*\.)*)((?:[A-Za-z_]|[^\0-\x7F])(?:\w|[^\0-\x7F])*)?$/u.exec(
    source,
  );
  if (!path) return undefined;
  const [, holder = "", typed = ""] = path;
  const from = cursor - typed.length;
  // After a dot only identifiers can stand; other keys take the dot's place, in brackets.
  const inBrackets = holder !== "" && typed !== "" && !isIdentifier(typed);
  if (inBrackets) {
    const keys = bracketsOf(valueAt(holder.slice(0, -1), scope)).filter(({ label }) => label.startsWith(typed));
    return { from: from - 1, options: keys.slice(0, mostOptions) };
  }
  const options = holder === "" ? namesOf(scope, ai) : membersOf(valueAt(holder.slice(0, -1), scope));
  const wanted = typed.toLowerCase();
  const fitting = options.filter((option) => option.label.toLowerCase().startsWith(wanted));
  return { from, options: fitting.slice(0, mostOptions) };
}

/**
 * The template's result with the data in the scope, for showing while typing; what a model will fill in stands as `‹name›`.
 * Never throws.
 */
export function previewTemplate(
  text: string,
  scope: TemplateScope,
  place: TemplatePlace,
  strictness: { identity?: boolean; isDefault?: boolean } = {},
): Preview {
  try {
    const template = compileTemplate(text);
    const values = exampleValues(template.aiCalls);
    return { ok: true, value: resolveTemplate(template, scope, { place, values, ...strictness }) };
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    return { ok: false, kind: error.kind, message: error.message, hint: error.hint, position: error.position };
  }
}

const exampleOf: Record<AiType, (name: string) => Json> = {
  string: (name) => `‹${name}›`,
  json: (name) => `‹${name}›`,
  number: () => 1.5,
  integer: () => 1,
  boolean: () => true,
  array: () => [],
  object: () => ({}),
};

function exampleValues(calls: readonly AiCall[]): JsonObject {
  return Object.fromEntries(
    calls.flatMap(({ name, type, default: value, otherwise }) =>
      // A default with data in it shows that data.
      otherwise || (value !== undefined && holdsTemplate(value)) ? [] : [[name, value ?? exampleOf[type](name)]],
    ),
  );
}

function insideQuotes(source: string): boolean {
  let quote: string | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (quote !== undefined) {
      if (character === "\\") at += 1;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") {
      quote = character;
    }
  }
  return quote !== undefined;
}

function namesOf(scope: TemplateScope, ai: boolean): Completion[] {
  const variables = [...scope.names()].map((name) => ({
    label: name,
    detail: typeWord(scope.get(name)),
    ...sampleOf(scope.get(name)),
    insert: isIdentifier(name) ? name : `nodes[${JSON.stringify(name)}]`,
  }));
  return [...variables, ...(ai ? [aiFunction] : []), ...functions];
}

function valueAt(source: string, scope: TemplateScope): Json | undefined {
  const preview = previewTemplate(`{{${source}}}`, scope, "value");
  return preview.ok ? preview.value : undefined;
}

/** Keys that can follow a dot. */
function membersOf(value: Json | undefined): Completion[] {
  return keysOf(value).filter(({ label }) => isIdentifier(label));
}

/** Keys that have to stand in brackets. */
function bracketsOf(value: Json | undefined): Completion[] {
  return keysOf(value)
    .filter(({ label }) => !isIdentifier(label))
    .map((option) => ({ ...option, insert: `[${JSON.stringify(option.label)}]` }));
}

function keysOf(value: Json | undefined): Completion[] {
  if (!isJsonObject(value)) return [];
  return Object.keys(value).map((key) => ({
    label: key,
    detail: typeWord(value[key]),
    ...sampleOf(value[key]),
    insert: key,
  }));
}

const sampleChars = 40;

/** What the value is about: scalars as they are, of objects the first keys. */
function sampleOf(value: Json | Date | undefined): { sample?: string } {
  if (value === undefined || value === null || value instanceof Date || Array.isArray(value)) return {};
  const text = isJsonObject(value)
    ? Object.keys(value).slice(0, 5).join(", ")
    : String(value).replace(/\s+/g, " ").trim();
  if (text === "") return {};
  return { sample: text.length > sampleChars ? `${text.slice(0, sampleChars)}…` : text };
}

function typeWord(value: Json | Date | undefined): string {
  if (value === null || value === undefined) return "nothing";
  if (value instanceof Date) return "time";
  if (Array.isArray(value)) return `list of ${value.length}`;
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "true or false";
    default:
      return "object";
  }
}
