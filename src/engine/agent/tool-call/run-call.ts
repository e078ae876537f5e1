import { canonicalJson } from "../../canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { isSpending } from "../../run/events.ts";
import type { LiveCall, ServedTool } from "../../run/replay/agent-replay.ts";
import { begunElsewhere } from "../../run/replay/recorded-run.ts";
import { createWaitClock, type WaitClock } from "../../time/wait-clock.ts";
import { resultText } from "../../tool/tool-result.ts";
import type { ToolResult } from "../../tool/tool.ts";
import type { Verdict } from "../../trust/provenance/verdict.ts";
import { noTaint, untrustedField } from "../../trust/taint.ts";
import { type AgentRun, countUsage, type Execution, intercepted } from "../execution.ts";
import { askAllowed, judgeCall, rememberEdit, rememberResult, verdictFields } from "./call-origins.ts";
import { createCallExecutor, createFormAsker, createProgressTeller } from "./execute-call.ts";
import { aroundCall, policyOf, rememberApproved } from "./tool-interceptors.ts";
import {
  type AskedCall,
  type CallInterceptor,
  type FinishedCall,
  parseArguments,
  refusedCall,
  type RunCall,
  shownInput,
  type TableEntry,
  taintOf,
  type ToolUse,
} from "./tool-call.ts";

/** A call that the log knows of. */
type StartedCall = AskedCall & {
  /** What its events have in common. */
  place: { nodeId: string; toolNodeId: string; edgeId: string; callId: string; toolName: string };
  startedAt: number;
  clock: WaitClock;
  verdict: Verdict | undefined;
};

/**
 * Makes what runs one call: prepare, execute, finalize. Whatever goes wrong becomes a result for the model; rejects only when
 * the deadline aborts.
 */
export function createCallRunner(execution: Execution): RunCall {
  const { run, progress } = execution;
  const { host, nodeId } = run;
  const { callIds } = run.scope;
  const countRepetition = createRepetitionCounter(run.settings.repeatedCallLimit);
  const makeCall = intercepted(createCallExecutor(execution), aroundCall(execution));

  /** Judges a call by what has arrived now, and asks what is allowed for good where it would ask a person. */
  function judge({ entry, text }: Pick<AskedCall, "entry" | "text">): Verdict | Promise<Verdict> | undefined {
    const input = shownInput(text);
    if (!entry || !isJsonObject(input)) return undefined;
    const verdict = judgeCall(execution, entry, input);
    const isAsked = verdict?.asks === true && policyOf(entry) === "ask-after-untrusted";
    return isAsked ? askAllowed(execution, entry, verdict) : verdict;
  }

  function prepare(asked: AskedCall, verdict: Verdict | undefined): StartedCall {
    const { part, entry, live, text } = asked;
    const callId = live?.again?.callId ?? (callIds.has(part.callId) ? host.newId() : part.callId);
    callIds.add(callId);
    const toolNodeId = entry?.nodeId ?? nodeId;
    const place = { nodeId, toolNodeId, edgeId: entry?.edgeId ?? "", callId, toolName: part.toolName };
    const startedAt = host.now();
    const input = shownInput(text);
    run.emit({ type: "tool-call-start", ...place, input, ...verdictFields(execution, verdict) });
    if (live?.begun !== undefined && live.repeats === "elsewhere") {
      const again = begunElsewhere(live.begun);
      run.replay?.emit({ type: "write-start", nodeId, callId, toolName: part.toolName, ...again });
    }
    return { ...asked, place, startedAt, verdict, clock: createWaitClock(() => host.now()) };
  }

  async function execute(call: StartedCall): Promise<ToolUse> {
    const { entry, refusal, live, text, place, clock, verdict } = call;
    const { callId } = place;
    if (live?.result) return { input: shownInput(text), result: recordProvidedResult(execution, call, live.result) };
    if (refusal !== undefined) return { input: shownInput(text), result: refusedCall(refusal) };
    const parsed = await parseArguments(text, entry.check);
    if (!parsed.ok) return { input: parsed.input, result: refusedCall(`Invalid arguments. ${parsed.reason}`) };
    progress.hasCalledTool = true;
    return makeCall({
      entry,
      callId,
      input: parsed.input,
      written: parsed.input,
      verdict,
      clock,
      again: live?.again,
      begun: live?.begun ?? 0,
      repeats: live?.repeats,
      askForm: createFormAsker(run, entry, callId),
      tellProgress: createProgressTeller(run, entry, callId),
    });
  }

  function finalize(call: StartedCall, { input, result, ...mark }: ToolUse): FinishedCall {
    const { part, entry, note, place, startedAt, clock } = call;
    const { callId, toolName } = part;
    const { ok, untrusted = noTaint } = result;
    const { text: whole, size, truncated, output } = resultText(result, entry?.tool.maxResultChars);
    // The time that a person takes to decide is not the tool's.
    const durationMs = Math.max(0, host.now() - startedAt - clock.waitedMs());
    const repetition = countRepetition(toolName, input, whole);
    const text = [whole, note, repetition.note].filter((each) => each !== undefined).join("\n");
    const taint = untrustedField(untrusted);
    run.emit({ type: "tool-call-end", ...place, ok, output, text, size, truncated, durationMs, ...mark, ...taint });
    const record = { toolName, arguments: input, result: output, ok, ...mark, startedAt, durationMs };
    return { callId, record, text, untrusted: untrusted.length > 0, truncated, loop: repetition.loop };
  }

  return intercepted(
    async (planned) => {
      const edited = planned.live?.input;
      const asked = edited === undefined ? planned : { ...planned, text: JSON.stringify(edited) };
      const verdict = judge(asked);
      const call = prepare(asked, verdict instanceof Promise ? await verdict : verdict);
      return finalize(call, await execute(call));
    },
    [serveRecorded(execution, countRepetition)],
  );
}

/**
 * Records a result that a person provided as if it were the tool's own: the tool counts as used, and the result as
 * untrusted wherever the tool's would.
 */
function recordProvidedResult(
  execution: Execution,
  { entry, text, verdict, place: { callId } }: StartedCall,
  { ok, output }: NonNullable<LiveCall["result"]>,
): ToolResult {
  const { progress, addTaint } = execution;
  const untrusted = entry ? taintOf(entry) : noTaint;
  addTaint(untrusted);
  const message = typeof output === "string" ? output : JSON.stringify(output);
  const result: ToolResult = ok ? { ok, output, untrusted } : { ok, error: { message, code: "tool_error" }, untrusted };
  if (entry) {
    progress.hasCalledTool = true;
    progress.toolsUsed.add(entry.tool.name);
    const input = shownInput(text);
    rememberResult(execution, entry, { callId, input: isJsonObject(input) ? input : {}, verdict }, result);
  }
  return result;
}

/** Serves the calls that a replay has recorded; the others go on with what it says of them. */
function serveRecorded(execution: Execution, countRepetition: CountRepetition): CallInterceptor | undefined {
  const { replay } = execution.run;
  if (!replay) return undefined;
  return async (call, next) => {
    const { part, text, entry, refusal } = call;
    const { callId, toolName } = part;
    const toolNodeId = refusal === undefined ? entry?.nodeId : undefined;
    const replayed = replay.tool({
      callId,
      toolName,
      input: shownInput(text),
      written: shownInput(part.arguments),
      toolNodeId,
    });
    if (replayed.kind === "live") {
      const isAsked = replayed.ask && refusal === undefined;
      return next({ ...call, ...(isAsked ? { entry: { ...entry, approval: "ask" } } : {}), live: replayed });
    }
    const served = await serve(execution, call, replayed.call);
    countRepetition(toolName, served.record.arguments, served.text);
    return served;
  };
}

/**
 * Serves a recorded call instead of a real one: the same events, marked as replayed, and the same result. Nothing is called;
 * only the agent's own scratchpad is restored.
 */
async function serve(execution: Execution, { part, entry }: AskedCall, call: ServedTool): Promise<FinishedCall> {
  const { run, progress } = execution;
  const { replay } = run;
  const { start, approvals, shown, inner, end } = call;
  for (const event of [start, ...approvals]) replay?.emit(event);
  for (const event of inner) {
    replay?.emitInner(event);
    if (!isSpending(event)) continue;
    countUsage(progress, event.usage, event.costUsd);
    for (const limit of run.spending ?? []) limit.count(event.costUsd ?? 0);
  }
  if (shown) replay?.emit(shown);
  replay?.emit(end);

  const decision = approvals.findLast((event) => event.type === "approval-end");
  const input: Json = decision?.input ?? start.input;
  if (entry) {
    progress.hasCalledTool = true;
    if (decision?.approved !== false) progress.toolsUsed.add(part.toolName);
    if (decision?.approved === true) rememberApproved(run, entry);
    if (entry.tool.keepsState === true && isJsonObject(input)) await bringUpToDate(run, entry, input);
  }
  const untrusted = end.untrusted ?? (entry ? taintOf(entry) : noTaint);
  if (entry && isJsonObject(input)) {
    if (isJsonObject(start.input)) rememberEdit(execution, start.input, input);
    const verdict = judgeCall(execution, entry, input);
    const answer: ToolResult = end.ok
      ? { ok: true, output: end.output }
      : { ok: false, error: { message: end.text, details: end.output } };
    // A call that was rejected was never made.
    if (decision?.approved !== false) rememberResult(execution, entry, { callId: part.callId, input, verdict }, answer);
    else if (decision.unasked) progress.notMade.push(part.toolName);
  }
  execution.addTaint(untrusted);
  const { ok, output, durationMs, text, truncated } = end;
  const mark = decision?.approved === false ? { rejected: true as const } : {};
  const startedAt = run.host.now();
  const record = { toolName: part.toolName, arguments: input, result: output, ok, ...mark, startedAt, durationMs };
  return { callId: part.callId, record, text, untrusted: untrusted.length > 0, truncated, loop: false };
}

/** The scratchpad's tools touch nothing but this execution's notes. */
async function bringUpToDate(run: AgentRun, { tool }: TableEntry, input: JsonObject): Promise<void> {
  await tool
    .execute(input, {
      signal: run.signal,
      callId: "",
      depth: run.depth,
      untrusted: noTaint,
      pausedWhile: (wait) => wait(),
      addUsage() {},
      spending: [],
      log() {},
      ask: () => Promise.resolve({ action: "decline" }),
      tellProgress() {},
    })
    .catch(() => undefined);
}

/** Counts one more call. */
type CountRepetition = (toolName: string, input: Json, text: string) => { loop: boolean; note?: string };

/**
 * Counts calls with the same tool, arguments (in any key order) and result. At `limit` the model is told (`note`); at twice
 * the limit it is a loop.
 */
function createRepetitionCounter(limit: number): CountRepetition {
  const counts = new Map<string, number>();
  return (toolName, input, text) => {
    const key = `${toolName}\n${canonicalJson(input)}\n${text}`;
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times >= limit * 2) return { loop: true };
    if (times < limit) return { loop: false };
    const said = times === 1 ? "once" : `${times} times`;
    const note = `[You have made this same call ${said} with the same result. Do not repeat it: change the arguments, use another tool, or answer with what you have.]`;
    return { loop: false, note };
  };
}
