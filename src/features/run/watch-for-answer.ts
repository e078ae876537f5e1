import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";

/**
 * Tells, given a run's events in their order, with which of them the answer is complete: an agent has said its last, nothing
 * follows it and nothing else goes on, so that all there is left to do is to write the turn down.
 */
export function watchForAnswer(document: WorkflowDocument): (event: RunEvent) => boolean {
  const followed = new Set(
    Object.values(document.edges)
      .filter(({ from }) => from.port === "main")
      .map(({ from }) => from.node),
  );
  const active = new Set<string>();

  const isLast = (event: RunEvent): boolean => {
    if (event.type !== "iteration-end" || event.finish === undefined) return false;
    // Without an ending it failed: the run ends with it, or a setting of the node says what comes next.
    if (event.finish !== "completed" && event.ending === undefined) return false;
    // An answer in JSON may still be sent back to the model.
    if (document.nodes[event.nodeId]?.config.outputFormat === "json") return false;
    return !followed.has(event.nodeId) && active.size === 1 && active.has(event.nodeId);
  };

  return (event) => {
    if (event.parentCallId !== undefined || event.item !== undefined) return false;
    if (event.type === "node-start") active.add(event.nodeId);
    if (event.type === "node-end" || event.type === "node-error") active.delete(event.nodeId);
    return isLast(event);
  };
}
