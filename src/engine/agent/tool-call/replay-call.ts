import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { noTaint } from "../../trust/taint.ts";
import type { LiveCall, ServedTool } from "../../run/replay/agent-replay.ts";
import { type AgentRun, countUsage, type Execution } from "../execution.ts";
import type { Interceptor } from "../interceptor.ts";
import type { ToolResult } from "../tool.ts";
import { rememberApproved } from "./interceptors.ts";
import { type AskedCall, shownInput, type TableEntry, taintOf } from "./tool-call.ts";
import { countRepetition, finishedCall, type FinishedCall } from "./tool-result.ts";

/** Serves the calls that a replay has recorded; the others go on with what it says of them. */
export function serveRecorded(execution: Execution): Interceptor<AskedCall, FinishedCall> | undefined {
  const { replay } = execution.run;
  if (!replay) return undefined;
  return async (call, next) => {
    const { part, entry, refusal } = call;
    const { callId, toolName } = part;
    const toolNodeId = refusal === undefined ? entry?.nodeId : undefined;
    const replayed = replay.tool({ callId, toolName, input: shownInput(part.arguments), toolNodeId });
    if (replayed.kind === "live") {
      const isAsked = replayed.ask && refusal === undefined;
      return next({ ...call, ...(isAsked ? { entry: { ...entry, approval: "ask" } } : {}), live: replayed });
    }
    const served = await serve(execution, call, replayed.call);
    countRepetition(execution, toolName, served.record.arguments, served.message.text);
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
  const { start, approvals, inner, end } = call;
  for (const event of [start, ...approvals]) replay?.emit(event);
  for (const event of inner) {
    replay?.emitInner(event);
    if (event.type === "model-response" || event.type === "embedding") countUsage(progress, event.usage, event.costUsd);
  }
  replay?.emit(end);

  const decision = approvals.findLast((event) => event.type === "approval-end");
  const input: Json = decision?.input ?? start.input;
  if (entry) {
    progress.hasCalledTool = true;
    if (decision?.approved !== false) progress.toolsUsed.add(part.toolName);
    if (decision?.approved === true) rememberApproved(run, entry);
    if (entry.nodeId === run.nodeId && isJsonObject(input)) await bringUpToDate(run, entry, input);
  }
  const untrusted = end.untrusted ?? (entry ? taintOf(entry) : noTaint);
  execution.addTaint(untrusted);
  return finishedCall(execution, part, {
    arguments: input,
    result: end.output,
    ok: end.ok,
    ...(decision?.approved === false ? { rejected: true } : {}),
    startedAt: run.host.now(),
    durationMs: end.durationMs,
    text: end.text,
    untrusted: untrusted.length > 0,
    truncated: end.truncated,
    loop: false,
  });
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
      log() {},
      ask: () => Promise.resolve({ action: "decline" }),
      tellProgress() {},
    })
    .catch(() => undefined);
}

/**
 * Records a result that a person provided as if it were the tool's own: the tool counts as used, and the result as
 * untrusted wherever the tool's would.
 */
export function recordProvidedResult(
  { progress, addTaint }: Execution,
  entry: TableEntry | undefined,
  { ok, output }: NonNullable<LiveCall["result"]>,
): ToolResult {
  if (entry) {
    progress.hasCalledTool = true;
    progress.toolsUsed.add(entry.tool.name);
  }
  const untrusted = entry ? taintOf(entry) : noTaint;
  addTaint(untrusted);
  if (ok) return { ok, output, untrusted };
  const message = typeof output === "string" ? output : JSON.stringify(output);
  return { ok, error: { message, code: "tool_error" }, untrusted };
}
