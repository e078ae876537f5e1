import type { RunEventBody } from "../events.ts";
import type { EventStamp } from "../run-log.ts";
import type { RunPlan } from "../run-plan.ts";
import type { RunScope } from "../run-scope.ts";

/** What a replay needs of the flow that it serves. */
export interface ReplayFlow {
  readonly shared: { readonly plan: RunPlan; readonly scope: RunScope };
  readonly stamp: EventStamp;
  emit(event: RunEventBody, mark?: { replayed: true }): number;
  emitWithin(parentCallId: string, event: RunEventBody, mark?: { replayed: true }): number;
}

const envelopeKeys = ["runId", "seq", "at", "parentCallId", "item", "outerItems", "replayed"] as const;

/** An event without its envelope, if it has one. */
function bodyOf(event: RunEventBody): RunEventBody {
  const body = { ...event };
  for (const key of envelopeKeys) Reflect.deleteProperty(body, key);
  return body;
}

/** Adds a recorded event to a run, as one that is served. */
export function emitServed(flow: ReplayFlow, event: RunEventBody, parentCallId: string | undefined): void {
  if ("callId" in event && event.callId !== undefined) flow.shared.scope.callIds.add(event.callId);
  if (parentCallId === undefined) flow.emit(bodyOf(event), { replayed: true });
  else flow.emitWithin(parentCallId, bodyOf(event), { replayed: true });
}
