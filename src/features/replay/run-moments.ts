import { progressWords } from "../../engine/tool/tool.ts";
import type { RunEvent, RunOutcome } from "../../engine/run/events.ts";
import { repeatText } from "../../state/run/repeat-text.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";

/** A place of the timeline at which it is worth to stop. */
export interface RunMoment {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  event: RunEvent;
  /** Calls get a mark on the timeline. */
  kind: "model" | "tool" | "other";
}

/** Of the pieces of one answer at most this many are stops: enough to see it grow. */
const stopsPerAnswer = 12;

/** The stops of a recorded run in order. Pieces of streamed text are thinned out; all else is a stop of its own. */
export function runMoments(events: readonly RunEvent[]): RunMoment[] {
  const pieces = new Map<string, number>();
  for (const event of events) if (isPiece(event)) pieces.set(event.callId, (pieces.get(event.callId) ?? 0) + 1);
  const seen = new Map<string, number>();
  return events.flatMap((event): RunMoment[] => {
    const { seq, at } = event;
    if (event.type === "write-start" && event.again === undefined) return [];
    if (!isPiece(event)) return [{ seq, at, event, kind: kindOf(event) }];
    const count = seen.get(event.callId) ?? 0;
    seen.set(event.callId, count + 1);
    const every = Math.max(1, Math.ceil((pieces.get(event.callId) ?? 0) / stopsPerAnswer));
    return count % every === 0 ? [{ seq, at, event, kind: "other" }] : [];
  });
}

type Piece = Extract<RunEvent, { type: "text-delta" | "reasoning-delta" }>;

function isPiece(event: RunEvent): event is Piece {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

function kindOf({ type }: RunEvent): RunMoment["kind"] {
  if (type === "model-request") return "model";
  return type === "tool-call-start" ? "tool" : "other";
}

const endings: Record<RunOutcome, string> = {
  completed: "The run is complete",
  failed: "The run failed",
  cancelled: "The run was stopped",
};

/** What happened at a stop, in a few words. */
export function wordsOf(event: RunEvent, titleOf: (nodeId: string) => string): string {
  switch (event.type) {
    case "run-start":
      return "The run starts";
    case "run-end":
      return endings[event.outcome];
    case "node-start":
      return `${titleOf(event.nodeId)} starts`;
    case "node-end":
      return `${titleOf(event.nodeId)} is done`;
    case "node-error":
      return `${titleOf(event.nodeId)} fails: ${event.error.message}`;
    case "node-skip":
      return `${titleOf(event.nodeId)} is skipped`;
    case "edge-pass":
      return "A value is passed on";
    case "iteration-start":
      return `${titleOf(event.nodeId)}: iteration ${event.iteration}`;
    case "iteration-end":
      return `${titleOf(event.nodeId)}: iteration ${event.iteration} ends`;
    case "model-request":
      return `${titleOf(event.nodeId)} asks ${event.model}`;
    case "text-delta":
      return `${titleOf(event.nodeId)}: the answer arrives`;
    case "reasoning-delta":
      return `${titleOf(event.nodeId)}: the model thinks`;
    case "model-response":
      return event.error ? `The model fails: ${event.error.message}` : "The model has answered";
    case "tool-call-start":
      return `${titleOf(event.nodeId)} calls ${event.toolName}`;
    case "tool-call-end":
      if (event.rejected) return `${titleOf(event.toolNodeId)} was rejected`;
      return event.ok ? `${titleOf(event.toolNodeId)} has a result` : `${titleOf(event.toolNodeId)} failed`;
    case "write-start":
      return event.again === undefined ? `${titleOf(event.nodeId)} goes on` : repeatText(event);
    case "approval-wait":
      return `${event.toolName} waits for ${event.again === undefined ? "approval" : "a decision: repeat it or not"}`;
    case "approval-end": {
      const what = event.nodeId === event.toolNodeId ? "step" : "call";
      if (event.again !== undefined) return `The ${what} is ${event.approved ? "repeated" : "not repeated"}`;
      return `The ${what} is ${event.approved ? "approved" : "rejected"}`;
    }
    case "form-wait":
      return `${event.toolName} asks a question`;
    case "form-end":
      return event.action === "accept" ? "The question is answered" : "The question is not answered";
    case "tool-progress":
      return `${titleOf(event.toolNodeId)}: ${progressWords(event)}`;
    case "tool-app":
      return `${titleOf(event.toolNodeId)} shows its interface`;
    case "wait-start":
      return `The run waits until ${formatMoment(event.until)}`;
    case "wait-end":
      return "The wait is over";
    case "pause-wait":
      return "The run is paused";
    case "pause-end":
      return "The run continues";
    case "memory-load":
      return `${event.messages} messages are loaded from memory`;
    case "memory-save":
      return `${event.messages} messages are saved to memory`;
    case "memory-error":
      return `The memory fails: ${event.error.message}`;
    case "embedding":
      return `${titleOf(event.nodeId)} has texts embedded by ${event.model}`;
    case "rerank":
      return `${titleOf(event.nodeId)} has passages put into order by ${event.model}`;
    case "transcription":
      return `${titleOf(event.nodeId)} has a recording written down by ${event.model}`;
    case "plan":
      return "A plan is made";
    case "reflection":
      return "The model reviews its progress";
    case "compaction":
      return "The agent summarizes its oldest messages";
    case "run-resume":
      return `The run is resumed, attempt ${event.attempt}`;
    case "retry":
      return `Retry ${event.attempt} of ${event.maxAttempts}`;
    case "file-add":
      return `${titleOf(event.nodeId)} has the file "${event.workspace?.path ?? event.file.name}"`;
    case "warning":
      return event.message;
    case "log":
      return event.message;
    default:
      return event satisfies never;
  }
}
