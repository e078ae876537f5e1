import type { Json } from "../../json.ts";
import type { CallAgain } from "../agent-replay.ts";
import type { AgentRun } from "../agent-run.ts";
import { createApprover, pausedWhile } from "./approvals.ts";
import { retryDelay } from "../../time/backoff.ts";
import type { Deadline } from "../../time/deadline.ts";
import { createFormAsker } from "./ask-form.ts";
import { executeTool } from "./execute-tool.ts";
import { createBreakpointGate } from "./hold-call.ts";
import { countUsage, type Progress } from "../turn/progress.ts";
import { parseArguments } from "../../json-schema/schema-check.ts";
import { joinTaint, noTaint } from "../../trust/taint.ts";
import { taintOf, type TableEntry } from "./tool-table.ts";
import { createProgressTeller } from "./tool-progress.ts";
import type { ToolResult } from "../tool.ts";
import type { WaitClock } from "../../time/wait-clock.ts";

/** A tool call's input, as the log shows it, and its result. */
export interface ToolUse {
  input: Json;
  result: ToolResult;
  /** A person refused, or nobody could be asked: the tool was not called. */
  rejected?: true;
}

/** The result of a call that was not made, for the model to read. */
export function refusedCall(message: string): ToolResult {
  return { ok: false, error: { message, code: "invalid_arguments" } };
}

/**
 * Creates the function that runs the tools of one agent execution. It checks the arguments (`text` is what the model
 * wrote), pauses at a breakpoint, asks for approval, checks edited arguments and runs the tool. Every failure becomes a
 * failed result; it rejects only when the deadline aborts. Approvals are remembered from call to call. `clock` measures
 * how long the call waits for people.
 */
export function createToolRunner(run: AgentRun, deadline: Deadline, progress: Progress) {
  const approve = createApprover(run, deadline, progress);
  const gate = createBreakpointGate(run, deadline);

  return async (
    entry: TableEntry,
    { callId, text, clock }: { callId: string; text: string; clock: WaitClock },
    again?: CallAgain,
  ): Promise<ToolUse> => {
    const parsed = await parseArguments(text, entry.check);
    if (!parsed.ok) return { input: parsed.input, result: refusedCall(`Invalid arguments. ${parsed.reason}`) };
    progress.hasCalledTool = true;
    const wanted = run.pauser ? await clock.during(() => gate.tool(entry, callId, parsed.input)) : parsed.input;
    const approval = await approve(entry, { callId, input: wanted, clock }, again);
    if (approval.outcome === "failed") return { input: parsed.input, result: { ok: false, error: approval.error } };
    if (approval.outcome === "rejected") {
      const { message } = approval;
      return { input: parsed.input, result: { ok: false, error: { message, code: "tool_error" } }, rejected: true };
    }
    const { input } = approval;
    const edited = input === parsed.input ? { ok: true as const } : await entry.check(input);
    if (!edited.ok) return { input, result: refusedCall(`Invalid arguments after editing. ${edited.reason}`) };

    const { tool } = entry;
    if (run.host.checkpoint) {
      await run.host.checkpoint();
      deadline.signal.throwIfAborted();
    }
    progress.toolsUsed.add(tool.name);
    const ask = createFormAsker(run, entry, callId);
    const tellProgress = createProgressTeller(run, entry, callId);
    const makeCall = () =>
      executeTool(run.host, tool, input, deadline.signal, (limit) => ({
        get signal() {
          return limit.signal;
        },
        callId,
        depth: run.depth + 1,
        untrusted: progress.untrusted,
        pausedWhile: (wait) => clock.during(() => pausedWhile(run, deadline, () => limit.pausedWhile(wait))),
        addUsage(usage, costUsd) {
          countUsage(progress, usage, costUsd);
          run.addUsage?.(usage, costUsd);
        },
        log(message, data) {
          run.emit({
            type: "log",
            nodeId: entry.nodeId,
            level: "info",
            message,
            ...(data === undefined ? {} : { data }),
          });
        },
        ask(form, options) {
          const asked = () => ask(form, limit.signal, options);
          return clock.during(() => pausedWhile(run, deadline, () => limit.pausedWhile(asked)));
        },
        tellProgress,
      }));
    const result = await repeatedly(run, deadline, entry, makeCall);
    // A failed result may quote the server, too.
    const untrusted = result.untrusted ?? taintOf(entry);
    progress.untrusted = joinTaint(progress.untrusted, untrusted);
    return { input, result: { ...result, untrusted } };
  };
}

/** Retries calls that may be retried, after temporary failures. Each attempt has the tool's full time limit. */
async function repeatedly(
  run: AgentRun,
  { signal }: Deadline,
  { tool: { repeats }, nodeId }: TableEntry,
  makeCall: () => Promise<ToolResult>,
): Promise<ToolResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await makeCall();
    if (result.ok || !result.error.retryable || attempt > (repeats?.retries ?? 0) || signal.aborted) return result;
    const { message, hint = "", code = "tool_error", retryAfterMs } = result.error;
    const error = { message, hint, code, retryable: true };
    const delayMs = retryDelay(run.host, attempt, { retryAfterMs }, repeats?.delayMs);
    run.emit({ type: "retry", nodeId, attempt, maxAttempts: repeats?.retries ?? 0, delayMs, error });
    await run.host.sleep(delayMs, signal);
  }
}

/**
 * Records a result that a person provided as if it were the tool's own: the tool counts as used, and the result as
 * untrusted wherever the tool's would.
 */
export function recordProvidedResult(
  progress: Progress,
  entry: TableEntry | undefined,
  { ok, output }: { ok: boolean; output: Json },
): ToolResult {
  if (entry) {
    progress.hasCalledTool = true;
    progress.toolsUsed.add(entry.tool.name);
  }
  const untrusted = entry ? taintOf(entry) : noTaint;
  progress.untrusted = joinTaint(progress.untrusted, untrusted);
  if (ok) return { ok, output, untrusted };
  const message = typeof output === "string" ? output : JSON.stringify(output);
  return { ok, error: { message, code: "tool_error" }, untrusted };
}
