import type { RunEvent } from "../../engine/run/events.ts";

/** The end of a run whose engine broke, which it should not: people still see that it ended, and why. */
export function failedRunEnd(runId: string, events: readonly RunEvent[], error: unknown, at: number): RunEvent {
  const startedAt = events[0]?.at ?? at;
  return {
    runId,
    seq: (events.at(-1)?.seq ?? -1) + 1,
    at,
    type: "run-end",
    outcome: "failed",
    output: null,
    error: {
      code: "internal",
      message: `The run failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`,
      hint: "This is a bug in Switchyard. Copy the run as JSON under Run → Steps and report it.",
      retryable: false,
    },
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: null,
    durationMs: at - startedAt,
  };
}
