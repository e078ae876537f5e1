import { expect, it } from "vitest";
import type { RunEvent, RunEventBody } from "../src/engine/run/events.ts";
import { failedStep } from "./run-start.ts";
import { mergeDeltas } from "./stored-log.ts";

const error = { code: "model_error", message: "No.", hint: "Look.", retryable: false } as const;

/** A log of events in short; what a test does not look at is left out. */
function log(...bodies: (Partial<RunEventBody> & { type: RunEventBody["type"] })[]): RunEvent[] {
  return bodies.map((body, seq) => ({ runId: "r", seq, at: seq, ...body }) as RunEvent);
}

const start = (nodeId: string) => ({ type: "node-start" as const, nodeId });
const failed = (nodeId: string) => ({ type: "node-error" as const, nodeId, error, handled: false });
const asked = (callId: string) => ({ type: "model-request" as const, nodeId: "agent", callId });
const answered = (callId: string, finishReason: "stop" | "error") => ({
  type: "model-response" as const,
  nodeId: "agent",
  callId,
  finishReason,
});

it("goes on with a failed run at the first of the tries that failed in a row", () => {
  const events = log(
    start("agent"),
    asked("1"),
    answered("1", "stop"),
    asked("2"),
    answered("2", "error"),
    asked("3"),
    answered("3", "error"),
    failed("agent"),
  );
  expect(failedStep(events)).toBe(3);
});

it("goes on at the node that failed where it made no call, and nowhere in particular where nothing failed", () => {
  expect(failedStep(log(start("a"), start("b"), failed("b")))).toBe(1);
  expect(failedStep(log(start("a")))).toBeUndefined();
});

it("makes one event of the neighbouring pieces of an answer", () => {
  const piece = (callId: string, text: string) => ({ type: "text-delta" as const, nodeId: "agent", callId, text });
  const merged = mergeDeltas(log(piece("1", "a"), piece("1", "b"), piece("2", "c"), piece("1", "d")));
  expect(merged.map((event) => (event.type === "text-delta" ? [event.seq, event.text] : []))).toEqual([
    [0, "ab"],
    [2, "c"],
    [3, "d"],
  ]);
});
