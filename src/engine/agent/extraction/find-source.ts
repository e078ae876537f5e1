import { canonicalJson } from "../../canonical-json.ts";
import { type Json, parseJson } from "../../json.ts";
import { firstChars } from "../../well-formed.ts";
import type { ToolCallRecord } from "../execution.ts";

/** A result to read values from. `title`: the tool that gave it. */
export interface Source {
  title: string;
  value: Json;
}

/** Where values are to be read, as a model says it. */
export interface AskedSource {
  source: string;
  containing: string;
}

/** Characters of arguments in a message for a model. */
const maxArgumentChars = 200;

/** The one result that a model means, or why there is none, in words for it. The same result twice is one. */
export function findSource(
  calls: readonly ToolCallRecord[],
  { source, containing }: AskedSource,
): { ok: true; source: Source } | { ok: false; reason: string } {
  const results = calls.filter(({ toolName, ok }) => ok && toolName === source);
  if (results.length === 0) return { ok: false, reason: `No call of ${source} has given a result yet. Call it first.` };
  const words = containing.trim().toLowerCase();
  const fitting = results.filter((call) => [call.arguments, call.result].some((part) => textOf(part).includes(words)));
  const [one, ...others] = [...new Map(fitting.map((call) => [canonicalJson(call.result), call])).values()];
  if (one !== undefined && others.length === 0) {
    const { result } = one;
    const value = typeof result === "string" ? (parseJson(result) ?? result) : result;
    return { ok: true, source: { title: source, value } };
  }
  const listed = results.map((call) => firstChars(JSON.stringify(call.arguments), maxArgumentChars)).join("; ");
  const how = one === undefined ? "No result" : "More than one result";
  return { ok: false, reason: `${how} of ${source} has these words. Its calls had the arguments: ${listed}.` };
}

function textOf(value: Json): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
}
