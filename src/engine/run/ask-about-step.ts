import type { ApprovalDecision, Host } from "../host.ts";
import { type Taint, untrustedField } from "../trust/taint.ts";
import type { RunEventBody } from "./events.ts";

interface StepQuestion {
  nodeId: string;
  /** The step's title. */
  title: string;
  /** The same in every attempt of the run, so that an answer is found again. */
  callId: string;
  message: string;
  untrusted: Taint;
  /** How often the step had begun, where the question is whether to do it again. */
  again?: number;
}

const notAsked: ApprovalDecision = {
  approved: false,
  reason: "Approval could not be requested.",
  unasked: true,
};

/** Asks a person a question of a step, and logs it. Rejects only when aborted. */
export async function askAboutStep(
  { host, signal, emit }: { host: Pick<Host, "approve">; signal: AbortSignal; emit(event: RunEventBody): unknown },
  { nodeId, title, callId, message, untrusted, again }: StepQuestion,
): Promise<ApprovalDecision> {
  const because = untrustedField(untrusted);
  const mark = again === undefined ? {} : { again };
  const input = { message };
  const asked = { nodeId, toolNodeId: nodeId, callId, ...mark };
  const place = { ...asked, edgeId: "" };
  emit({ type: "approval-wait", ...place, toolName: title, input, ...because });
  const question = { ...asked, toolName: title, input, parameters: { type: "object" }, message, ...because };
  const decision = await Promise.resolve()
    .then(() => host.approve(question, signal))
    .catch(() => {
      signal.throwIfAborted();
      return notAsked;
    });
  if (decision.approved) {
    emit({ type: "approval-end", ...place, approved: true, input });
    return decision;
  }
  const { reason, unasked } = decision;
  emit({ type: "approval-end", ...place, approved: false, input, reason, ...(unasked ? { unasked } : {}) });
  return decision;
}
