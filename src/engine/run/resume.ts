import type { Usage } from "../model/chat-model.ts";
import { addCost, addUsage } from "../model/usage.ts";
import { isSpending, type RunEvent, type RunEventBody } from "./events.ts";
import type { EventStamp, WrittenEvents } from "./run-log.ts";

/** Continues a run whose process went away: same run id, same workflow, same input. */
export interface ResumeOptions {
  /** What the earlier attempts wrote, ordered by `seq` without gaps, without a `run-end`. */
  events: readonly RunEvent[];
  /** Counts from 1; the first resumed one is 2. */
  attempt: number;
  /** Who goes on with it, for the reader of the run. */
  worker?: string;
}

/** What a resumed run starts from. */
interface OpenedResume {
  /** The events to serve: those written, without calls that were broken off. */
  events: readonly RunEvent[];
  written: WrittenEvents;
  /** Model calls that began and never got their answer. */
  brokenOff: string[];
}

/**
 * Reads the log of the earlier attempts. Model calls that were broken off are left out, or the recording would stand
 * between the run and the call that is made again; a tool call that was broken off stays, since what happened inside it
 * can be served.
 */
export function openResume({ events }: Pick<ResumeOptions, "events">): OpenedResume {
  const open = new Set<string>();
  const told = new Set<string>();
  for (const event of events) {
    if (event.type === "model-request") open.add(event.callId);
    if (event.type === "model-response" && event.finishReason !== "cancelled") open.delete(event.callId);
    if (event.type === "run-resume") for (const callId of event.brokenOff) told.add(callId);
  }
  const kept = events.filter((event) => !(isModelEvent(event) && open.has(event.callId)));
  return {
    events: kept,
    written: writtenEvents(kept, (events.at(-1)?.seq ?? -1) + 1),
    brokenOff: [...open].filter((callId) => !told.has(callId)),
  };
}

function isModelEvent(event: RunEvent): event is Extract<RunEvent, { type: ModelEventType }> {
  return modelEvents.has(event.type);
}

type ModelEventType = "model-request" | "text-delta" | "reasoning-delta" | "model-response";

const modelEvents: ReadonlySet<string> = new Set<ModelEventType>([
  "model-request",
  "text-delta",
  "reasoning-delta",
  "model-response",
]);

/** The log as a multiset by what happened where: order and times may differ between two attempts. */
function writtenEvents(events: readonly RunEvent[], nextSeq: number): WrittenEvents {
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  let costUsd: number | null = 0;
  const left = new Map<string, number>();
  for (const event of events) {
    const key = keyOf(event);
    left.set(key, (left.get(key) ?? 0) + 1);
    if (!isSpending(event) || event.replayed) continue;
    if (event.usage) usage = addUsage(usage, event.usage);
    costUsd = addCost(costUsd, event.costUsd);
  }
  return {
    nextSeq,
    usage,
    costUsd,
    take(event) {
      const key = keyOf(event);
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      // What is served comes from the log, also where its pieces were merged (the deltas of an answer).
      return count > 0 || event.replayed === true;
    },
  };
}

/** What tells one event of a run from another, whatever it says. */
const identity = [
  "nodeId",
  "edgeId",
  "callId",
  "pauseId",
  "iteration",
  "round",
  "session",
  "operation",
  "attempt",
  "message",
  "parentCallId",
  "item",
  "again",
] as const;

function keyOf(event: RunEventBody & EventStamp): string {
  const parts: unknown[] = [event.type, event.outerItems ?? null];
  for (const name of identity) {
    const value: unknown = Reflect.get(event, name);
    if (typeof value === "string" || typeof value === "number") parts.push(name, value);
  }
  if (event.type === "file-add") parts.push(event.file.$file);
  return JSON.stringify(parts);
}
