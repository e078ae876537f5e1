import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { RunErrorData } from "../src/engine/errors.ts";
import type { ForkPoint, RunEvent } from "../src/engine/run/events.ts";
import { recordingOf } from "../src/engine/run/replay/recording.ts";
import type { ReplayOptions } from "../src/engine/run/replay/replay-options.ts";
import type { ClaimedRun, RunQueue, StoredEnd, WaitDecision } from "./run-queue.ts";
import { unpackedLog } from "./stored-log.ts";
import { readVersion } from "./version-documents.ts";

/** What an attempt begins with: the log and the decisions of those before it, or another run's recording. */
type Start =
  | { ok: false; error: RunErrorData }
  | {
      ok: true;
      document: WorkflowDocument;
      before: RunEvent[];
      answers: ReadonlyMap<string, WaitDecision>;
      replay?: ReplayOptions;
    };

/** Reads what a claimed run goes on with. */
export async function howToStart(claim: ClaimedRun, queue: RunQueue): Promise<Start> {
  const version = readVersion(claim.document);
  if (!version.ok) return version;
  const { document } = version;
  const isFirst = claim.attempt === 1;
  const before = isFirst ? [] : unpackedLog(await queue.log(claim.id, claim.id));
  const answers = isFirst ? new Map<string, WaitDecision>() : await queue.answers(claim.id);
  if (before.length > 0) {
    return document.privacy && holdsMask(before)
      ? { ok: false, error: maskedLog }
      : { ok: true, document, before, answers };
  }
  const replay = claim.forkedFrom && (await recordingFor(claim, claim.forkedFrom, queue));
  return { ok: true, document, before, answers, ...(replay ? { replay } : {}) };
}

async function recordingFor(claim: ClaimedRun, point: ForkPoint, queue: RunQueue): Promise<ReplayOptions | undefined> {
  const source = await queue.source(claim.id, point.runId);
  if (!source) return undefined;
  const events = unpackedLog(await queue.log(claim.id, point.runId));
  const was = readVersion(source.document);
  const recording = recordingOf(events, was.ok ? was.document : undefined);
  const until = point.callId ?? point.seq ?? failedStep(events);
  return { recording, ...(until === undefined ? {} : { until }) };
}

/** Where a failed run is gone on with: at the last call that did not end well, else at the node that failed. */
export function failedStep(events: readonly RunEvent[]): number | undefined {
  const failure = events.findLast((event) => event.type === "node-error" && !event.handled);
  if (failure?.type !== "node-error") return undefined;
  const start = events.findLast((event) => event.type === "node-start" && event.nodeId === failure.nodeId);
  if (start === undefined) return undefined;
  const ended = new Set<string>();
  let lastGood = start.seq;
  for (const event of events) {
    if (!isGoodEnd(event)) continue;
    ended.add(event.callId);
    lastGood = Math.max(lastGood, event.seq);
  }
  const open = events.filter((event) => event.seq > start.seq && isCall(event) && !ended.has(event.callId));
  // Tries of the same call fail one after the other: it is made again as if none of them had been.
  const broken = open.find((event) => event.seq > lastGood) ?? open.at(-1);
  return (broken ?? start).seq;
}

function isCall(event: RunEvent): event is Extract<RunEvent, { type: "model-request" | "tool-call-start" }> {
  return (event.type === "model-request" || event.type === "tool-call-start") && event.parentCallId === undefined;
}

function isGoodEnd(event: RunEvent): event is Extract<RunEvent, { type: "model-response" | "tool-call-end" }> {
  if (event.type === "tool-call-end") return true;
  return event.type === "model-response" && event.finishReason !== "error" && event.finishReason !== "cancelled";
}

/** What the marks of masks look like; see `createMask`. */
const marks = /\[(?:masked|email|card|key)[\]:]/;

function holdsMask(events: readonly RunEvent[]): boolean {
  return events.some((event) => marks.test(JSON.stringify(event)));
}

const maskedLog: RunErrorData = {
  code: "internal",
  message: "The worker stopped in the middle of this run. Its log is masked, so the run cannot be continued.",
  hint: "Start the run again. Steps that were finished will be done a second time.",
  retryable: true,
};

/** The row of a run that never began. */
export function endOf(error: RunErrorData): StoredEnd {
  return { status: "failed", output: null, error, ending: null, totalTokens: 0, costUsd: 0, usage: [] };
}
