import type { ForkPoint, RunEvent } from "../events.ts";
import type { Recording } from "./recording.ts";
import type { ReplayOptions } from "./replay-options.ts";

/** The `seq` at which a recorded model or tool call begins, or undefined when there is no such call. */
export function callStart({ events }: Recording, callId: string): number | undefined {
  return events.find((event) => isCallStart(event) && event.callId === callId)?.seq;
}

function isCallStart(event: RunEvent): event is Extract<RunEvent, { type: "model-request" | "tool-call-start" }> {
  return event.type === "model-request" || event.type === "tool-call-start";
}

/** Where a replay leaves its recording: at `until`, else at the first changed call, else at no point (all is served). */
export function forkPointOf({ recording, until, changes = {} }: ReplayOptions): ForkPoint {
  const { runId } = recording;
  if (typeof until === "number") return { runId, seq: until };
  if (until !== undefined) return pointAt(recording, until);
  const changed = Object.keys(changes).map((callId) => pointAt(recording, callId));
  const [first] = changed.toSorted((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity));
  return first ?? { runId };
}

function pointAt(recording: Recording, callId: string): ForkPoint {
  const seq = callStart(recording, callId);
  return { runId: recording.runId, ...(seq === undefined ? {} : { seq }), callId };
}
