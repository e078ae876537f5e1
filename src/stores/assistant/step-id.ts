import type { RunEvent } from "../../engine/run/events.ts";

/** The step of the run panel that an event belongs to: its call, its note, or its node. */
export function stepIdOf(events: readonly RunEvent[], seq: number): string | null {
  const event = events.find((each) => each.seq === seq);
  if (event === undefined) return null;
  if (event.type === "model-response" || event.type === "tool-call-end") return event.callId;
  const ofNode = ["node-start", "node-end", "node-error", "node-skip"].includes(event.type);
  if (ofNode && "nodeId" in event) return `node ${event.nodeId}`;
  return `note-${event.seq}`;
}
