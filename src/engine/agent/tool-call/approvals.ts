import type { ApprovalDecision } from "../../host.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { CallAgain } from "../agent-replay.ts";
import type { AgentRun } from "../agent-run.ts";
import type { Deadline } from "../../time/deadline.ts";
import { previewTool } from "./execute-tool.ts";
import type { Progress } from "../turn/progress.ts";
import { loggedOutput } from "./result-text.ts";
import { settleOrAbort } from "../../time/time-limit.ts";
import { untrustedField } from "../../trust/taint.ts";
import type { TableEntry } from "./tool-table.ts";
import type { ToolFailure, ToolResult } from "../tool.ts";
import type { WaitClock } from "../../time/wait-clock.ts";

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

/**
 * Asks for approval if the tool's policy requires it, with a preview if the tool has one. Never rejects: stopping the
 * run counts as a refusal.
 */
type Approver = (entry: TableEntry, call: AskedCall, again?: CallAgain) => Promise<Approval>;

/** A call that may need approval; `clock` measures how long it waits for people. */
interface AskedCall {
  callId: string;
  input: JsonObject;
  clock: WaitClock;
}

function onceKey({ nodeId, tool }: TableEntry): string {
  return `${nodeId}/${tool.name}`;
}

/** Remembers for the rest of the run that a call of this tool was approved in an earlier attempt. */
export function rememberApproved(run: AgentRun, entry: TableEntry): void {
  if (entry.tool.approval === "once") run.scope.approvedTools.add(onceKey(entry));
}

/** Stops the time limits of this agent, and of all agents that wait for it, while a person is asked. */
export function pausedWhile<Value>(run: AgentRun, deadline: Deadline, wait: () => Promise<Value>): Promise<Value> {
  const own = () => deadline.pausedWhile(wait);
  return run.pausedWhile ? run.pausedWhile(own) : own();
}

/** Creates the approval check of one agent execution. */
export function createApprover(run: AgentRun, deadline: Deadline, progress: Pick<Progress, "untrusted">): Approver {
  const { approvedTools, pendingApprovals } = run.scope;

  const previewOf = ({ tool }: TableEntry, input: JsonObject) => previewTool(run.host, tool, input, deadline.signal);

  /** The preview of arguments that a person edited; those that do not fit the tool are a failure. */
  async function previewEdited(entry: TableEntry, input: JsonObject): Promise<ToolResult> {
    const stoppedCheck = { ok: false as const, reason: "The check was stopped." };
    const checked = await entry.check(input).catch(() => stoppedCheck);
    if (!checked.ok) return { ok: false, error: { message: checked.reason, code: "invalid_arguments" } };
    return (await previewOf(entry, input)) ?? { ok: true, output: null };
  }

  async function ask(entry: TableEntry, { callId, input, clock }: AskedCall): Promise<Approval> {
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
      pausedWhile(run, deadline, () =>
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

  return async (entry, call, again) => {
    const { input, clock } = call;
    const approval = entry.approval ?? entry.tool.approval ?? "never";
    if (again?.decision) {
      const { decision } = again;
      if (!decision.approved) return { outcome: "rejected", message: rejection(decision) };
      rememberApproved(run, entry);
      return { outcome: "approved", input: decision.input };
    }
    switch (approval) {
      case "never":
        return { outcome: "approved", input };
      case "ask":
        return ask(entry, call);
      case "ask-after-untrusted":
        return progress.untrusted.length > 0 ? ask(entry, call) : { outcome: "approved", input };
      case "once": {
        // Calls of one turn run side by side: the second waits for the answer to the first.
        const key = onceKey(entry);
        const before = pendingApprovals.get(key) ?? Promise.resolve();
        const answer = clock
          .during(() => before)
          .then(async (): Promise<Approval> => {
            if (approvedTools.has(key)) return { outcome: "approved", input };
            const decision = await ask(entry, call);
            if (decision.outcome === "approved") approvedTools.add(key);
            return decision;
          });
        pendingApprovals.set(key, answer);
        return answer;
      }
      default:
        return approval satisfies never;
    }
  };
}
