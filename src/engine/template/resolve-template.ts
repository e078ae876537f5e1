import type { TemplatePlace } from "../config/field.ts";
import { type ExactJson, exactText, type Json, type JsonObject, valueOrExactText } from "../json.ts";
import type { AiCall } from "./ai-call.ts";
import { encodeValue, endsInsideJsonText, hasDotSegment, headerText, valueText } from "./encode.ts";
import { compileExpression, type Expression } from "./expression.ts";
import type { TemplateScope } from "./scope.ts";
import { hasTemplate, splitTemplate, templateLimits } from "./split-template.ts";
import { TemplateProblem } from "./template-problem.ts";

type CompiledPart =
  | { kind: "text"; text: string; insideJsonText: boolean }
  | { kind: "expression"; expression: Expression; start: number };

/** A template parsed once. */
export interface Template {
  parts: readonly CompiledPart[];
  /** Set when the field holds one expression and besides it only blanks. */
  single?: { expression: Expression; start: number };
  isJson: boolean;
  aiCalls: readonly AiCall[];
}

/** How a template is resolved. */
interface ResolveOptions {
  place: TemplatePlace;
  /** The text names whose data it is: an expression that gives nothing, or no text or number, is an error. */
  identity?: boolean;
  /** With `identity`: the text is the field's default, and gives nothing where its path does not exist. */
  isDefault?: boolean;
  /** What the model gave for the `ai(…)` calls, by name. */
  values?: JsonObject;
  /** What may still be made where several templates share a limit; used up by each. */
  room?: OutputRoom;
}

/** How many characters templates may still make, and how many milliseconds they may still take. */
export interface OutputRoom {
  characters: number;
  milliseconds: number;
}

/** What the templates of one node's settings may use together. */
export function wholeRoom(): OutputRoom {
  return { characters: templateLimits.output, milliseconds: templateLimits.milliseconds };
}

const cache = new Map<string, Template>();
const cacheSize = 2_000;

/** Parses a template; the last 2,000 are remembered. Throws a TemplateProblem when it is not well formed. */
export function compileTemplate(text: string): Template {
  const known = cache.get(text);
  if (known) return known;
  const template = parseTemplate(text);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(text, template);
  return template;
}

function parseTemplate(text: string): Template {
  const parts: CompiledPart[] = [];
  const aiCalls: AiCall[] = [];
  let insideJsonText = false;
  for (const part of splitTemplate(text)) {
    if (part.kind === "text") {
      insideJsonText = endsInsideJsonText(part.text, insideJsonText);
      parts.push({ kind: "text", text: part.text, insideJsonText });
      continue;
    }
    try {
      const expression = compileExpression(part.source);
      aiCalls.push(...expression.aiCalls);
      parts.push({ kind: "expression", expression, start: part.start });
    } catch (error) {
      throw error instanceof TemplateProblem ? error.shiftedBy(part.start) : error;
    }
  }
  const [first, ...others] = parts.filter((part) => part.kind === "expression" || part.text.trim() !== "");
  const single = first?.kind === "expression" && others.length === 0 ? first : undefined;
  return { parts, single, isJson: /^\s*[[{"]/.test(text) && !/^\s*\{\{/.test(text), aiCalls };
}

/**
 * Inserts values once: what they contain is never evaluated. A template that is exactly one expression gives its value
 * as it is, in text places as text. Throws a TemplateProblem; positions count from the start of the template.
 */
export function resolveTemplate(template: Template, scope: TemplateScope, options: ResolveOptions): Json {
  const value = resolveExact(template, scope, options);
  return options.place === "json" ? valueOrExactText(value) : (value as Json);
}

/** As `resolveTemplate`; in a JSON place, whole numbers that are too large to be exact are bigints. */
export function resolveExact(template: Template, scope: TemplateScope, options: ResolveOptions): ExactJson {
  const { single } = template;
  if (single && (template.parts.length === 1 || keepsType(options.place))) {
    if (options.place === "json") return evaluateExactPart(single, scope, options);
    return finishSingle(evaluatePart(single, scope, options), single.start, options.place);
  }
  const room = options.room ?? wholeRoom();
  const within = { ...options, room };
  let text = "";
  let insideJsonText = false;
  let inserted = false;
  for (const [index, part] of template.parts.entries()) {
    if (part.kind === "text") {
      text += part.text;
      insideJsonText = part.insideJsonText;
      continue;
    }
    inserted = true;
    // Bare in JSON: large numbers stand there as numbers.
    const isBare = options.place === "json" && template.isJson && !insideJsonText;
    const encoded = isBare
      ? exactText(evaluateExactPart(part, scope, within))
      : encodeValue(evaluatePart(part, scope, within), {
          place: options.place,
          before: text,
          followed: index < template.parts.length - 1,
          isJson: template.isJson,
          position: part.start,
        });
    room.characters -= encoded.length;
    if (room.characters < 0) throw tooLong(part.start);
    text += encoded;
  }
  if (inserted && options.place === "url") refuseDotSegments(text);
  return text;
}

function tooLong(position: number): TemplateProblem {
  const most = templateLimits.output / 1_000_000;
  const hint = "Insert less, such as one field of a value instead of all of it.";
  return new TemplateProblem(
    "limit",
    position,
    `The templates here produce more than ${most} million characters.`,
    hint,
  );
}

function tooSlow(position: number): TemplateProblem {
  const most = templateLimits.milliseconds / 1_000;
  return new TemplateProblem(
    "limit",
    position,
    `The templates here take longer than ${most} s together.`,
    "Use a code node for heavy work.",
  );
}

type ExpressionPart = Pick<Extract<CompiledPart, { kind: "expression" }>, "expression" | "start">;

/** The value of one expression of a template; positions of problems count from the template's start. */
export function evaluatePart(part: ExpressionPart, scope: TemplateScope, options: ResolveOptions): Json {
  return placed(part, scope, options, () => {
    const value = part.expression.evaluate(scope, options.values);
    if (options.identity) requireIdentity(value, part.expression.source);
    return value;
  });
}

function evaluateExactPart(part: ExpressionPart, scope: TemplateScope, options: ResolveOptions): ExactJson {
  return placed(part, scope, options, () => part.expression.evaluateExact(scope, options.values));
}

/** Evaluates an expression; positions of its problems then count from the template's start. */
function placed<Value>(
  part: ExpressionPart,
  scope: TemplateScope,
  { isDefault, room }: ResolveOptions,
  evaluate: () => Value,
): Value | "" {
  const started = scope.clock();
  try {
    const value = evaluate();
    if (room) room.milliseconds -= scope.clock() - started;
    if (room && room.milliseconds < 0) throw tooSlow(0);
    return value;
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    if (isDefault && error.kind === "missing") return "";
    throw error.shiftedBy(part.start);
  }
}

/** Nothing, a list or an object names nobody: two people would be given the same name. */
function requireIdentity(value: Json, source: string): void {
  if (typeof value === "number" || (typeof value === "string" && value.trim() !== "")) return;
  const found =
    value === null
      ? "null"
      : typeof value === "string"
        ? "empty"
        : typeof value === "boolean"
          ? String(value)
          : Array.isArray(value)
            ? "a list"
            : "an object";
  throw new TemplateProblem(
    "value",
    0,
    `"${source.trim()}" is ${found}, which cannot tell one conversation from another.`,
    "Give it a text or a number that is different for each person.",
  );
}

/** Places where a value may be anything; blanks around the expression do not count there. */
function keepsType(place: TemplatePlace): boolean {
  return place === "json" || place === "value" || place === "sql";
}

function finishSingle(value: Json, start: number, place: Exclude<TemplatePlace, "json">): Json {
  switch (place) {
    case "value":
    case "sql":
      return value;
    case "header":
      return headerText(valueText(value), start);
    case "text":
    case "url":
      return valueText(value);
  }
}

function refuseDotSegments(url: string): void {
  if (!hasDotSegment(url)) return;
  throw new TemplateProblem(
    "value",
    0,
    'A value makes a "." or ".." step in the address, which would lead elsewhere.',
    "Check the value before it is inserted.",
  );
}

/** The `ai(…)` that a text consists of, when it is nothing else: the model gives the whole value. */
export function wholeAiCall(text: string): AiCall | undefined {
  if (!hasTemplate(text)) return undefined;
  try {
    return compileTemplate(text).single?.expression.wholeAi;
  } catch (error) {
    if (error instanceof TemplateProblem) return undefined;
    throw error;
  }
}
