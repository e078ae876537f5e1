import type { RunEvent } from "../../engine/run/events.ts";
import { errorText } from "../../engine/errors.ts";

/** What failed in a run: what of which node, and the `seq` at which it began. */
export interface Failure {
  event: Extract<RunEvent, { type: "node-error" | "tool-call-end" | "run-end" }>;
  begin: number;
}

/**
 * What ended the run: the node's error, or, where that came of a failed call of one of its tools, that call. Of a run that completed,
 * the first tool call or step that failed on the way. Undefined where nothing failed.
 */
export function failureIn(events: readonly RunEvent[]): Failure | undefined {
  const end = events.findLast((event) => event.type === "run-end");
  if (end?.outcome === "cancelled") return undefined;
  if (end?.outcome === "failed") {
    const ended = events.find(
      (event) => event.type === "node-error" && !event.handled && event.parentCallId === undefined,
    );
    return failureAt(events, ended?.type === "node-error" ? (toolBehind(events, ended) ?? ended) : end);
  }
  const failed = events.filter(
    (event) => (event.type === "tool-call-end" && !event.ok && event.rejected !== true) || event.type === "node-error",
  );
  const first = failed.find(({ type }) => type === "tool-call-end") ?? failed[0];
  return first?.type === "tool-call-end" || first?.type === "node-error" ? failureAt(events, first) : undefined;
}

/** The tool call after which an agent came to nothing: its last one, unless the model itself failed. */
function toolBehind(events: readonly RunEvent[], { nodeId, seq }: Extract<RunEvent, { type: "node-error" }>) {
  const own = events.filter((event) => "nodeId" in event && event.nodeId === nodeId && event.seq < seq);
  const answer = own.findLast((event) => event.type === "model-response");
  if (answer?.type !== "model-response" || answer.error !== undefined) return undefined;
  const last = own.findLast((event) => event.type === "tool-call-end");
  return last?.type === "tool-call-end" && !last.ok && last.rejected !== true ? last : undefined;
}

function failureAt(events: readonly RunEvent[], event: Failure["event"]): Failure {
  const begin = events.findLast((other) => {
    if (other.seq > event.seq) return false;
    if (event.type === "tool-call-end") return other.type === "tool-call-start" && other.callId === event.callId;
    return (
      event.type === "node-error" &&
      other.type === "node-start" &&
      other.nodeId === event.nodeId &&
      other.item === event.item &&
      JSON.stringify(other.outerItems) === JSON.stringify(event.outerItems)
    );
  });
  return { event, begin: begin?.seq ?? event.seq };
}

/** Whether the same step fails in the same way. */
export function isSameFailure(event: RunEvent, { event: failure }: Failure): boolean {
  switch (failure.type) {
    case "node-error":
      return event.type === "node-error" && event.nodeId === failure.nodeId && event.error.code === failure.error.code;
    case "tool-call-end":
      return (
        event.type === "tool-call-end" &&
        !event.ok &&
        event.rejected !== true &&
        event.toolNodeId === failure.toolNodeId &&
        event.nodeId === failure.nodeId
      );
    case "run-end":
      return event.type === "run-end" && event.outcome === "failed" && event.error?.code === failure.error?.code;
  }
}

/** The failure as a sentence for a person. */
export function wordsOfFailure(event: RunEvent): string {
  if (event.type === "node-error") return errorText(event.error);
  if (event.type === "run-end") return event.error ? errorText(event.error) : "";
  return event.type === "tool-call-end" ? `The call of ${event.toolName} fails again: ${event.text.slice(0, 300)}` : "";
}
