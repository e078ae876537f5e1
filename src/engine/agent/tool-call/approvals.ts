import type { ApprovalDecision } from "../../host.ts";
import type { Json, JsonObject } from "../../json.ts";
import { settleOrAbort } from "../../time/time-limit.ts";
import { untrustedField } from "../../trust/taint.ts";
import type { AgentRun } from "../agent-run.ts";
import { type Execution, pausedWhile } from "../execution.ts";
import type { ApprovalPolicy, ToolFailure, ToolResult } from "../tool.ts";
import { previewTool } from "./execute-tool.ts";
import { loggedOutput } from "./result-text.ts";
import type { MakeCall, ToolCall, ToolInterceptor, ToolUse } from "./tool-call.ts";
import type { TableEntry } from "./tool-table.ts";

/** The decision, with the input as edited. `failed`: the call would fail anyway, so nobody was asked. */
type Approval =
  | { outcome: "approved"; input: JsonObject }
  | { outcome: "rejected"; message: string }
  | { outcome: "failed"; error: ToolFailure };

const stopped = "The run was stopped before anyone decided.";
const notAsked = "Approval could not be requested.";

/** Why a call was not made, for the model to read. */
function rejection({ reason, unasked }: Extract<ApprovalDecision, { approved: false }>): string {
  if (unasked) return `The call needs a person's approval, so it was not made. ${reason}`.trim();
  return `A person rejected this call; it was not made.${reason.trim() === "" ? "" : ` Reason: ${reason}`}`;
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

/**
 * Asks a person for approval if the tool's policy requires it, with a preview if the tool has one. Stopping the run counts
 * as a refusal.
 */
export function approveCall(execution: Execution): ToolInterceptor {
  const { run, deadline, progress } = execution;
  const { approvedTools, pendingApprovals } = run.scope;

  const previewOf = ({ tool }: TableEntry, input: JsonObject) => previewTool(run.host, tool, input, deadline.signal);

  /** The preview of arguments that a person edited; those that do not fit the tool are a failure. */
  async function previewEdited(entry: TableEntry, input: JsonObject): Promise<ToolResult> {
    const stoppedCheck = { ok: false as const, reason: "The check was stopped." };
    const checked = await entry.check(input).catch(() => stoppedCheck);
    if (!checked.ok) return { ok: false, error: { message: checked.reason, code: "invalid_arguments" } };
    return (await previewOf(entry, input)) ?? { ok: true, output: null };
  }

  async function ask({ entry, callId, input, clock }: ToolCall): Promise<Approval> {
    const { tool, nodeId, edgeId } = entry;
    const result = await previewOf(entry, input);
    if (result?.ok === false) return { outcome: "failed", error: result.error };
    const preview: { preview?: Json } = result ? { preview: loggedOutput(result) } : {};
    const call = { nodeId: run.nodeId, toolNodeId: nodeId, edgeId, callId };
    const because = untrustedField(progress.untrusted);
    run.emit({ type: "approval-wait", ...call, toolName: tool.name, input, ...preview, ...because });
    const question = {
      nodeId: run.nodeId,
      toolNodeId: nodeId,
      toolName: tool.name,
      callId,
      input,
      parameters: tool.parameters,
      ...preview,
      ...because,
      ...(result ? { previewOf: (edited: JsonObject) => previewEdited(entry, edited) } : {}),
    };
    const settled = await clock.during(() =>
      pausedWhile(execution, () =>
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
      run.emit({ type: "approval-end", ...call, approved: true, input: decision.input });
      return { outcome: "approved", input: decision.input };
    }
    const { reason, unasked } = decision;
    run.emit({ type: "approval-end", ...call, approved: false, input, reason, ...(unasked ? { unasked } : {}) });
    return { outcome: "rejected", message: rejection(decision) };
  }

  /** For the first call of a tool in a run; the others wait for the answer to it. */
  async function askOnce(call: ToolCall): Promise<Approval> {
    const key = onceKey(call.entry);
    if (approvedTools.has(key)) return { outcome: "approved", input: call.input };
    const decision = await ask(call);
    if (decision.outcome === "approved") approvedTools.add(key);
    return decision;
  }

  async function decide(call: ToolCall): Promise<Approval> {
    const { entry, input, clock, again } = call;
    if (again?.decision) {
      const { decision } = again;
      if (!decision.approved) return { outcome: "rejected", message: rejection(decision) };
      rememberApproved(run, entry);
      return { outcome: "approved", input: decision.input };
    }
    const policy = policyOf(entry);
    switch (policy) {
      case "never":
        return { outcome: "approved", input };
      case "ask":
        return ask(call);
      case "ask-after-untrusted":
        return progress.untrusted.length > 0 ? ask(call) : { outcome: "approved", input };
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
    const approval = await decide(call);
    switch (approval.outcome) {
      case "approved":
        return next(approval.input === call.input ? call : { ...call, input: approval.input });
      case "failed":
        return { input: call.written, result: { ok: false, error: approval.error } };
      case "rejected": {
        const error: ToolFailure = { message: approval.message, code: "tool_error" };
        return { input: call.written, result: { ok: false, error }, rejected: true };
      }
      default:
        return approval satisfies never;
    }
  }

  return (call, next) => {
    const isFree = policyOf(call.entry) === "never" && !call.again?.decision;
    return isFree ? next(call) : makeIfApproved(call, next);
  };
}
