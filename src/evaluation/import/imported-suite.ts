import { visibleName } from "../../engine/text/visible-name.ts";
import type { Json, JsonObject } from "../../engine/json.ts";

/** What became of one part of another tool's config. */
export interface ImportedPart {
  /** Where it stood, such as `tests[3].assert[0]`. */
  place: string;
  /** What it was, such as `contains-json`. */
  what: string;
  outcome: "mapped" | "approximated" | "left-out";
  /** What is different, or why it was left out; empty where nothing is. */
  note: string;
}

/** A suite and its cases, made of another tool's config. The workflow is for a person to name. */
export interface ImportedSuite {
  format: "promptfoo" | "openai-evals";
  suite: JsonObject;
  cases: JsonObject[];
  parts: ImportedPart[];
}

/** How many parts came to each outcome. */
export function countParts(parts: readonly ImportedPart[]): Record<ImportedPart["outcome"], number> {
  const counts = { mapped: 0, approximated: 0, "left-out": 0 };
  for (const { outcome } of parts) counts[outcome] += 1;
  return counts;
}

/** Collects what becomes of each part. */
export class ImportLog {
  readonly parts: ImportedPart[] = [];

  mapped(place: string, what: string): void {
    this.parts.push({ place, what: visibleName(what), outcome: "mapped", note: "" });
  }

  approximated(place: string, what: string, note: string): void {
    this.parts.push({ place, what: visibleName(what), outcome: "approximated", note });
  }

  leftOut(place: string, what: string, note: string): void {
    this.parts.push({ place, what: visibleName(what), outcome: "left-out", note });
  }

  /** Says which models the assertions need; those of another tool's config are not taken over. */
  needsModels(assertions: readonly JsonObject[]): void {
    const uses = (name: string) => assertions.some(({ type }) => type === name || type === `not-${name}`);
    if (uses("llm-rubric"))
      this.leftOut("judge", "model", "Choose a judge in the settings; in a suite's file it is “judge”.");
    if (uses("similar"))
      this.leftOut(
        "embeddings",
        "model",
        "“similar” needs a model for embeddings. It is named in a suite's file, as “embeddings”; the settings in the studio cannot choose one yet.",
      );
  }
}

/** Names under which a case says what somebody writes in a chat. */
const messageNames = ["message", "question", "input", "query", "prompt", "user_input", "text", "request"];

/** Variables of a case as a trigger's input: all of them, and `message`, where one is what a person says. */
export function inputOf(variables: JsonObject): JsonObject {
  const texts = Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const named = messageNames.find((name) => texts.some(([key]) => key === name));
  const message = named === undefined ? (texts.length === 1 ? texts[0]?.[1] : undefined) : variables[named];
  return message === undefined ? variables : { ...variables, message };
}

/**
 * A text with the placeholders of another tool as our templates. `nameOf` gives the expression for a placeholder, or undefined where there
 * is none; then the whole text has none.
 */
export function withOurTemplates(text: string, nameOf: (expression: string) => string | undefined): string | undefined {
  if (/\{%|\{#/.test(text)) return undefined;
  let failed = false;
  const changed = text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_all, expression: string) => {
    const name = nameOf(expression);
    failed ||= name === undefined;
    return `{{${name ?? ""}}}`;
  });
  return failed ? undefined : changed;
}

/** The same for every text in a value. */
export function valueWithOurTemplates(
  value: Json,
  nameOf: (expression: string) => string | undefined,
): Json | undefined {
  if (typeof value === "string") return withOurTemplates(value, nameOf);
  if (Array.isArray(value)) {
    const list = value.map((one) => valueWithOurTemplates(one, nameOf));
    return list.every((one) => one !== undefined) ? list : undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  const changed: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const own = valueWithOurTemplates(inner, nameOf);
    if (own === undefined) return undefined;
    changed[key] = own;
  }
  return changed;
}
