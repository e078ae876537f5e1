import { canonicalJson } from "../../canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { ToolResult } from "../../tool/tool.ts";
import { comparable, wordsOf } from "../../trust/provenance/tokens.ts";
import { type UnsaidValue, unsaidField } from "../../trust/provenance/unsaid-value.ts";
import { holdsOthers, type JudgedTool, type ValueOrigin, type Verdict } from "../../trust/provenance/verdict.ts";
import { type Allowable, allowableOf, withoutAllowed } from "../../trust/allowed-values.ts";
import type { AgentRun, Execution } from "../execution.ts";
import type { TableEntry } from "./tool-call.ts";

/** More origins than this are not kept in the log. */
const maxOrigins = 100;

/**
 * Judges a call by what has arrived when it starts; undefined where nothing came from outside. What calls beside it bring later has
 * no part in it: the model wrote all calls of one answer before it read a result of any.
 */
export function judgeCall({ progress }: Execution, entry: TableEntry, input: JsonObject): Verdict | undefined {
  const { untrusted, provenance } = progress;
  if (untrusted.length === 0) return undefined;
  return provenance.judge(judged(entry), input);
}

/** The verdict of a call that would ask, without what a person allowed for good in its workflow. */
export async function askAllowed(
  { run, deadline: { signal } }: Execution,
  entry: TableEntry,
  verdict: Verdict,
): Promise<Verdict> {
  if (run.workflow === undefined || !allowable(entry, run, verdict)) return verdict;
  const known = await run.host.allowedValues?.(run.workflow.id, signal).catch(() => []);
  return known === undefined || known.length === 0 ? verdict : withoutAllowed(verdict, entry, known);
}

/** What a person may allow for good of a call that asks. */
export function allowable(
  entry: TableEntry,
  { workflow, host }: Pick<AgentRun, "workflow" | "host">,
  verdict: Verdict | undefined,
): Allowable | undefined {
  if (verdict === undefined || workflow === undefined || !host.allowedValues) return undefined;
  const found = allowableOf(verdict, entry, workflow.isHidden);
  return found && { workflowId: workflow.id, ...found };
}

/** What the log and a question say of a verdict. */
export function verdictFields(
  { progress, run: { scope } }: Execution,
  verdict: Verdict | undefined,
): { origins?: readonly ValueOrigin[]; unsaid?: readonly UnsaidValue[]; allowed?: readonly UnsaidValue[] } {
  if (!verdict) return {};
  const origins = verdict.values.slice(0, maxOrigins).map(({ path, origin }) => ({ path, origin }));
  const unsaid = progress.provenance.unsaid(verdict);
  const allowed = progress.provenance.unsaid({ ...verdict, because: verdict.allowed ?? [] });
  return {
    ...(origins.length > 0 ? { origins } : {}),
    ...unsaidField(unsaid.map((value) => (scope.asker === undefined ? value : { ...value, asker: scope.asker }))),
    ...(allowed.length > 0 ? { allowed } : {}),
  };
}

/** What the owner's own tools give is no evidence any more from the moment on at which a call with others' values is made. */
export function spoilBefore({ progress }: Execution, { tool }: TableEntry, verdict: Verdict | undefined): void {
  if (verdict && (verdict.asks || holdsOthers(verdict)) && tool.readOnly !== true) progress.provenance.spoil();
}

/** Adds what a call brought to what is known of where values came from. A failure may quote anything. */
export function rememberResult(
  { progress }: Execution,
  entry: TableEntry,
  { callId, input, verdict }: { callId: string; input: JsonObject; verdict: Verdict | undefined },
  result: ToolResult,
): void {
  const { tool } = entry;
  progress.provenance.addResult({
    tool: judged(entry),
    input,
    output: result.ok ? result.output : [result.error.message, result.error.hint ?? "", result.error.details ?? null],
    wrote: tool.readOnly !== true,
    own: result.ok ? tool.own : undefined,
    verdict,
    from: { callId, title: tool.name },
  });
  if (result.ok) for (const value of tool.confirmed?.(result.output) ?? []) progress.provenance.confirm(value);
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

function judged({ tool: { name, parameters, readOnly, content }, callerArguments }: TableEntry): JudgedTool {
  return { name, parameters, acts: readOnly !== true, callerArguments, ...(content ? { content } : {}) };
}
