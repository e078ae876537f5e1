import type { Json } from "../json.ts";
import type { CallAgain } from "./agent-replay.ts";
import type { AgentRun } from "./agent-run.ts";
import { createApprover, pausedWhile } from "./approvals.ts";
import { retryDelay } from "./backoff.ts";
import type { Deadline } from "./deadline.ts";
import { createFormAsker } from "./ask-form.ts";
import { executeTool } from "./execute-tool.ts";
import { createBreakpointGate } from "./hold-call.ts";
import { countUsage, type Progress } from "./progress.ts";
import { parseArguments } from "./tool-arguments.ts";
import { joinTaint, noTaint } from "../trust/taint.ts";
import { taintOf, type TableEntry } from "./tool-table.ts";
import { createProgressTeller } from "./tool-progress.ts";
import type { ToolResult } from "./tool.ts";
import type { WaitClock } from "./wait-clock.ts";

/** The input with which a tool was used, as the log shows it, and what came of it. */
export interface ToolUse {
  input: Json;
  result: ToolResult;
  /** A person said no, or there was nobody to say yes: the tool was not called. */
  rejected?: true;
}

/** A call that was not made, in words for the model. */
export function refusedCall(message: string): ToolResult {
  return { ok: false, error: { message, code: "invalid_arguments" } };
}

/**
 * Makes what uses the tools of one agent execution: checks the arguments (`text` is what the model wrote), holds the call
 * at a breakpoint, asks for approval, checks what was edited and runs the tool. Whatever goes wrong becomes a failed
 * result; rejects only when the deadline aborts. Approvals are remembered from call to call. `clock` counts how long persons
 * are waited for.
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
    // A refusal may quote what the other side said just as well.
    const untrusted = result.untrusted ?? taintOf(entry);
    progress.untrusted = joinTaint(progress.untrusted, untrusted);
    return { input, result: { ...result, untrusted } };
  };
}

/** A call that may be made again is, after failures that another attempt can help. Each attempt has the tool's whole time. */
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

/** A result that a person gave counts as the tool's: it was used, and what was changed in it may be a stranger's text. */
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
