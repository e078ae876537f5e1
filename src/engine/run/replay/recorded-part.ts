import type { NodeRegistry } from "../../document/define-node.ts";
import type { WorkflowDocument } from "../../document/workflow-document.ts";
import type { RunEvent } from "../events.ts";
import type { RunPart } from "../run-part.ts";

/**
 * The part of its workflow that a recorded run took, to be run again: an empty object for all of it. Undefined where it was a part
 * and the recording does not say which, as runs did before they kept it.
 */
export function recordedPart(
  events: readonly RunEvent[],
  document: WorkflowDocument,
  registry: NodeRegistry,
): RunPart | undefined {
  const start = events.find((event) => event.type === "run-start");
  if (start?.part) return start.part;
  const first = events.find((event) => event.type === "node-start" && event.parentCallId === undefined);
  if (first?.type !== "node-start") return {};
  // Whatever runs all of a workflow begins at a trigger.
  const type = document.nodes[first.nodeId]?.type;
  return type !== undefined && registry[type]?.role === "trigger" ? {} : undefined;
}
