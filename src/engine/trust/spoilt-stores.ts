import { exposureOf } from "../document/exposure.ts";
import type { EventOf, RunEvent } from "../run/events.ts";
import type { NodePlan, RunPlan } from "../run/run-plan.ts";
import { isOwn } from "./provenance/verdict.ts";
import { noTaint, type Taint } from "./taint.ts";

/** The log keeps no more origins of a call; what it leaves out may be anybody's. */
const maxOrigins = 100;

/** Whether a step of the flow may write what came from outside where the owner's own tools read. */
export function mayWriteOutside({ node, definition }: NodePlan, input: Taint): boolean {
  if (input.length === 0 || node.disabled === true || definition.role === "agent") return false;
  return exposureOf(definition, node.config).includes("way-out");
}

/**
 * Whether recorded events made, or may have made, what the owner's own tools give a stranger's: a call with values that nobody gave who
 * may, unless it was refused, or a step that wrote with text from outside. Of a call the log does not say whether it only read, and of
 * a step in another workflow not what it did: they count.
 */
export function mayHaveSpoilt(events: readonly RunEvent[], { nodes }: RunPlan): boolean {
  const refused = new Set(events.flatMap((event) => (isRefused(event) ? [event.callId] : [])));
  return events.some((event) => {
    switch (event.type) {
      case "tool-call-start": {
        const { origins = [], unsaid = [], callId } = event;
        const holdsOthers = origins.some(({ origin }) => !isOwn(origin)) || origins.length >= maxOrigins;
        return !refused.has(callId) && (holdsOthers || unsaid.length > 0);
      }
      case "node-end":
      case "node-error": {
        const { untrusted = noTaint, nodeId, parentCallId } = event;
        const plan = parentCallId === undefined ? nodes.get(nodeId) : undefined;
        return plan === undefined ? untrusted.length > 0 : mayWriteOutside(plan, untrusted);
      }
      default:
        return false;
    }
  });
}

function isRefused(event: RunEvent): event is EventOf<"tool-call-end"> {
  return event.type === "tool-call-end" && event.rejected === true;
}
