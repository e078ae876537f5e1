import { canonicalJson } from "../../canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { ToolResult } from "../../tool/tool.ts";
import { holdsOthers, type JudgedTool, type ValueOrigin, type Verdict } from "../../trust/provenance/provenance.ts";
import { comparable, wordsOf } from "../../trust/provenance/tokens.ts";
import { type UnsaidValue, unsaidField } from "../../trust/provenance/unsaid-value.ts";
import type { Execution } from "../execution.ts";
import type { TableEntry } from "./tool-call.ts";

/** More origins than this are not kept in the log. */
const maxOrigins = 100;

/**
 * Judges a call by what has arrived when it starts; undefined where nothing came from outside. What calls beside it bring later has
 * no part in it: the model wrote all calls of one answer before it read a result of any.
 */
export function judgeCall({ progress }: Execution, { tool }: TableEntry, input: JsonObject): Verdict | undefined {
  const { untrusted, provenance } = progress;
  if (untrusted.length === 0) return undefined;
  return provenance.judge(judged(tool), input);
}

/** What the log and a question say of a verdict. */
export function verdictFields(
  { progress }: Execution,
  verdict: Verdict | undefined,
): { origins?: readonly ValueOrigin[]; unsaid?: readonly UnsaidValue[] } {
  if (!verdict) return {};
  const origins = verdict.values.slice(0, maxOrigins).map(({ path, origin }) => ({ path, origin }));
  return { ...(origins.length > 0 ? { origins } : {}), ...unsaidField(progress.provenance.unsaid(verdict)) };
}

/** What the owner's own tools give is no evidence any more from the moment on at which a call with others' values is made. */
export function spoilBefore({ progress }: Execution, { tool }: TableEntry, verdict: Verdict | undefined): void {
  if (verdict && (verdict.asks || holdsOthers(verdict)) && tool.readOnly !== true) progress.provenance.spoil();
}

/** Adds what a call brought to what is known of where values came from. A failure may quote anything. */
export function rememberResult(
  { progress }: Execution,
  { tool }: TableEntry,
  { callId, input, verdict }: { callId: string; input: JsonObject; verdict: Verdict | undefined },
  result: ToolResult,
): void {
  progress.provenance.addResult({
    tool: judged(tool),
    input,
    output: result.ok ? result.output : [result.error.message, result.error.hint ?? "", result.error.details ?? null],
    wrote: tool.readOnly !== true,
    own: result.ok ? tool.own : undefined,
    verdict,
    from: { callId, title: tool.name },
  });
}

/** Arguments as a person edited them: what is new in them is the person's. */
export function rememberEdit({ progress }: Pick<Execution, "progress">, before: Json, after: Json): void {
  if (canonicalJson(before) === canonicalJson(after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const [name, value] of Object.entries(after))
      rememberEdit({ progress }, Object.hasOwn(before, name) ? (before[name] ?? null) : null, value);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const known = new Set(before.map(canonicalJson));
    for (const [place, value] of after.entries()) {
      if (known.has(canonicalJson(value))) continue;
      rememberEdit({ progress }, before.length === after.length ? (before[place] ?? null) : null, value);
    }
  } else if (typeof before === "string" && typeof after === "string") {
    for (const words of newWords(before, after)) progress.provenance.add("person", words);
  } else progress.provenance.add("person", after);
}

/** What a person wrote into a text, without what stood there: that may be a stranger's. */
function newWords(before: string, after: string): string[] {
  const formsIn = (text: string) => wordsOf(text).flat().map(comparable);
  const known = new Set(formsIn(before));
  const parts: string[][] = [[]];
  for (const word of after.split(/\s+/u)) {
    if (formsIn(word).some((form) => known.has(form))) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.flatMap((words) => (words.length === 0 ? [] : words.join(" ")));
}

function judged({ name, parameters, readOnly, content }: TableEntry["tool"]): JudgedTool {
  return { name, parameters, acts: readOnly !== true, ...(content ? { content } : {}) };
}
