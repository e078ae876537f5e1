import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import { type Decision, decisionOf } from "./decision.ts";

/** A recorded model call that can be made again to see how stable its decision is. */
export interface CheckableCall {
  callId: string;
  nodeId: string;
  /** What the model decided in the recorded run. */
  recorded: Decision;
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null;
}

const deciding: ReadonlySet<EventOf<"model-request">["purpose"]> = new Set(["answer", "final", "check"]);

/**
 * The calls of a run in which a model decided what happens next, in order. Plans, reviews and summaries are not among them, nor
 * calls inside a tool call: an agent that is another one's tool is checked in a run of its own.
 */
export function checkableCalls(events: readonly RunEvent[]): CheckableCall[] {
  const asked = new Set<string>();
  for (const event of events) {
    if (event.type === "model-request" && event.parentCallId === undefined && deciding.has(event.purpose)) {
      asked.add(event.callId);
    }
  }
  return events.flatMap((event) => {
    if (event.type !== "model-response" || event.error || !asked.has(event.callId)) return [];
    const { callId, nodeId, message, costUsd } = event;
    return [{ callId, nodeId, recorded: decisionOf(message), costUsd }];
  });
}
