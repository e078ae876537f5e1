import type { ApprovalDecision } from "../../host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import type { Repeats } from "../../errors.ts";
import { retryDelay } from "../../time/backoff.ts";
import { settleOrAbort } from "../../time/deadline.ts";
import { previewTool } from "../../tool/execute-tool.ts";
import { loggedOutput } from "../../tool/tool-result.ts";
import type { ApprovalPolicy, ToolResult } from "../../tool/tool.ts";
import { untrustedField } from "../../trust/taint.ts";
import type { AgentRun, Execution } from "../execution.ts";
import {
  type MakeCall,
  refusedCall,
  type TableEntry,
  taintOf,
  type ToolCall,
  type ToolInterceptor,
  type ToolUse,
} from "./tool-call.ts";

/** What stands around the making of a call in one agent execution, the first one outermost. */
export function aroundCall(execution: Execution): (ToolInterceptor | undefined)[] {
  return [
    holdCall(execution),
    approveCall(execution),
    checkEdited,
    storeFirst(execution),
    recordUse(execution),
    retryCall(execution),
  ];
}

/** Pauses the call at a breakpoint, where a person may edit its arguments. */
function holdCall({ hold }: Execution): ToolInterceptor {
  return (call, next) => {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: atNodeId } = entry;
    const held = hold({ kind: "tool-call", atNodeId, callId, toolName: tool.name, input: () => input });
    if (!held) return next(call);
    return clock.during(() => held).then((edited) => next(isJsonObject(edited) ? { ...call, input: edited } : call));
  };
}

/**
 * Asks a person for approval if the tool's policy requires it, with a preview if the tool has one. Stopping the run counts
 * as a refusal.
 */
function approveCall({ run, deadline, progress, pausedWhile }: Execution): ToolInterceptor {
  const { approvedTools, pendingApprovals } = run.scope;

  const previewOf = ({ tool }: TableEntry, input: JsonObject) => previewTool(run.host, tool, input, deadline.signal);

  /** The preview of arguments that a person edited; those that do not fit the tool are a failure. */
  async function previewEdited(entry: TableEntry, input: JsonObject): Promise<ToolResult> {
    const stoppedCheck = { ok: false as const, reason: "The check was stopped." };
    const checked = await entry.check(input).catch(() => stoppedCheck);
    if (!checked.ok) return { ok: false, error: { message: checked.reason, code: "invalid_arguments" } };
    return (await previewOf(entry, input)) ?? { ok: true, output: null };
  }

  async function ask(call: ToolCall): Promise<Approval> {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: toolNodeId, edgeId } = entry;
    const result = await previewOf(entry, input);
    // The call would fail anyway, so nobody is asked.
    if (result?.ok === false) return { instead: { input: call.written, result: { ok: false, error: result.error } } };
    const preview: { preview?: Json } = result ? { preview: loggedOutput(result) } : {};
    const place = { nodeId: run.nodeId, toolNodeId, edgeId, callId };
    const because = untrustedField(progress.untrusted);
    run.emit({ type: "approval-wait", ...place, toolName: tool.name, input, ...preview, ...because });
    const question = {
      nodeId: run.nodeId,
      toolNodeId,
      toolName: tool.name,
      callId,
      input,
      parameters: tool.parameters,
      ...preview,
      ...because,
      ...(result ? { previewOf: (edited: JsonObject) => previewEdited(entry, edited) } : {}),
    };
    const settled = await clock.during(() =>
      pausedWhile(() =>
        settleOrAbort(
          Promise.resolve().then(() => run.host.approve(question, deadline.signal)),
          deadline.signal,
        ),
      ),
    );
    const decision: ApprovalDecision =
      settled.kind === "done"
        ? settled.value
        : { approved: false, reason: settled.kind === "aborted" ? stopped : notAsked, unasked: true };
    if (decision.approved) {
      run.emit({ type: "approval-end", ...place, approved: true, input: decision.input });
      return { input: decision.input };
    }
    const { reason, unasked } = decision;
    run.emit({ type: "approval-end", ...place, approved: false, input, reason, ...(unasked ? { unasked } : {}) });
    return rejected(call, decision);
  }

  /** For the first call of a tool in a run; the others wait for the answer to it. */
  async function askOnce(call: ToolCall): Promise<Approval> {
    const key = onceKey(call.entry);
    if (approvedTools.has(key)) return { input: call.input };
    const approval = await ask(call);
    if (approval.input) approvedTools.add(key);
    return approval;
  }

  async function decide(call: ToolCall): Promise<Approval> {
    const { entry, input, clock, again } = call;
    if (again?.decision) {
      const { decision } = again;
      if (!decision.approved) return rejected(call, decision);
      rememberApproved(run, entry);
      return { input: decision.input };
    }
    const policy = policyOf(entry);
    switch (policy) {
      case "never":
        return { input };
      case "ask":
        return ask(call);
      case "ask-after-untrusted":
        return progress.untrusted.length > 0 ? ask(call) : { input };
      case "once": {
        // Calls of one turn run side by side: the second waits for the answer to the first.
        const key = onceKey(entry);
        const before = pendingApprovals.get(key) ?? Promise.resolve();
        const answer = clock.during(() => before).then(() => askOnce(call));
        pendingApprovals.set(key, answer);
        return answer;
      }
      default:
        return policy satisfies never;
    }
  }

  async function makeIfApproved(call: ToolCall, next: MakeCall): Promise<ToolUse> {
    const { input, instead } = await decide(call);
    if (instead) return instead;
    return next(input === call.input ? call : { ...call, input });
  }

  return (call, next) => {
    const isFree = policyOf(call.entry) === "never" && !call.again?.decision;
    return isFree ? next(call) : makeIfApproved(call, next);
  };
}

/** The input of a call that may be made, edited or not; or what came of it instead. */
type Approval = { input: JsonObject; instead?: never } | { input?: never; instead: ToolUse };

const stopped = "The run was stopped before anyone decided.";
const notAsked = "Approval could not be requested.";

/** A call that was not made, and why, for the model to read. */
function rejected(call: ToolCall, { reason, unasked }: Extract<ApprovalDecision, { approved: false }>): Approval {
  const message = unasked
    ? `The call needs a person's approval, so it was not made. ${reason}`.trim()
    : `A person rejected this call; it was not made.${reason.trim() === "" ? "" : ` Reason: ${reason}`}`;
  const result: ToolResult = { ok: false, error: { message, code: "tool_error" } };
  return { instead: { input: call.written, result, rejected: true } };
}

function policyOf({ approval, tool }: TableEntry): ApprovalPolicy {
  return approval ?? tool.approval ?? "never";
}

function onceKey({ nodeId, tool }: TableEntry): string {
  return `${nodeId}/${tool.name}`;
}

/** Remembers for the rest of the run that a call of this tool was approved in an earlier attempt. */
export function rememberApproved(run: AgentRun, entry: TableEntry): void {
  if (entry.tool.approval === "once") run.scope.approvedTools.add(onceKey(entry));
}

/** Refuses arguments that a person edited into something that does not fit the tool. */
const checkEdited: ToolInterceptor = (call, next) => {
  const { entry, input, written } = call;
  if (input === written) return next(call);
  return entry.check(input).then((checked) => {
    if (checked.ok) return next(call);
    return { input, result: refusedCall(`Invalid arguments after editing. ${checked.reason}`) };
  });
};

/** Waits until the log is stored, so that a resumed run knows of the call whatever happens now. */
function storeFirst({ run: { host }, deadline }: Execution): ToolInterceptor | undefined {
  if (!host.checkpoint) return undefined;
  return async (call, next) => {
    await host.checkpoint?.();
    deadline.signal.throwIfAborted();
    return next(call);
  };
}

/** Notes that the tool was used, and where untrusted content in its result came from. */
function recordUse({ progress, addTaint }: Execution): ToolInterceptor {
  return async (call, next) => {
    progress.toolsUsed.add(call.entry.tool.name);
    const { result, ...use } = await next(call);
    // A failed result may quote the server, too.
    const untrusted = result.untrusted ?? taintOf(call.entry);
    addTaint(untrusted);
    return { ...use, result: { ...result, untrusted } };
  };
}

/** Retries calls that may be retried, after temporary failures. Each attempt has the tool's full time limit. */
function retryCall({ run, deadline: { signal }, waitToRetry }: Execution): ToolInterceptor {
  async function retry(call: ToolCall, next: MakeCall, { retries, delayMs: firstMs }: Repeats): Promise<ToolUse> {
    for (let attempt = 1; ; attempt += 1) {
      const use = await next(call);
      const { result } = use;
      if (result.ok || !result.error.retryable || attempt > retries || signal.aborted) return use;
      const { message, hint = "", code = "tool_error", retryAfterMs } = result.error;
      const error = { message, hint, code, retryable: true };
      const delayMs = retryDelay(run.host, attempt, { retryAfterMs }, firstMs);
      await waitToRetry(call.entry.nodeId, { attempt, maxAttempts: retries, delayMs, error });
    }
  }
  return (call, next) => {
    const { repeats } = call.entry.tool;
    return repeats ? retry(call, next, repeats) : next(call);
  };
}
