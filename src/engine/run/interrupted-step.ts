import type { AfterCrash } from "../document/after-crash.ts";
import { RunError } from "../errors.ts";
import type { Taint } from "../trust/taint.ts";
import { askAboutStep } from "./ask-about-step.ts";
import type { FlowView } from "./flow-view.ts";
import type { NodePlan } from "./run-plan.ts";

/**
 * Goes by the setting of a step that had begun `begun` times before a crash and may have been done: resolves where it is done again,
 * and rejects with a RunError where it is not.
 */
export async function settleInterrupted(
  flow: FlowView,
  plan: NodePlan,
  { afterCrash, begun, untrusted }: { afterCrash: AfterCrash; begun: number; untrusted: Taint },
): Promise<void> {
  if (afterCrash === "repeat") return;
  const { id: nodeId, node } = plan;
  const { title } = node;
  if (afterCrash === "fail") throw notRepeated(plan, "It was not done again.");
  const { item, outerItems = [] } = flow.stamp;
  const place = [nodeId, ...outerItems, ...(item === undefined ? [] : [item])];
  const callId = ["again", ...place, begun].join(":");
  const message = "The run was interrupted during this step, so nobody knows whether it was done. Do it again?";
  const { host } = flow.shared;
  const emit = flow.emit.bind(flow);
  const asking = { host, signal: flow.signal, emit };
  const decision = await askAboutStep(asking, { nodeId, title, callId, message, untrusted, again: begun });
  if (decision.approved) return;
  const reason = decision.reason.trim();
  if (decision.unasked) throw notRepeated(plan, "It was not done again, since nobody could be asked.", reason);
  throw notRepeated(plan, `A person decided not to do it again.${reason === "" ? "" : ` Reason: ${reason}`}`);
}

function notRepeated({ id: nodeId, node }: NodePlan, why: string, advice = ""): RunError {
  return new RunError({
    code: "tool_error",
    message: `The run was interrupted during “${node.title}”, so it may have been done; its result is not known. ${why}`,
    hint: `Check whether it took effect before you run it again. ${advice}`.trim(),
    nodeId,
  });
}
