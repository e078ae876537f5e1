import type { RunErrorData } from "../../engine/errors.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { type RecordedRun, type RunEnd, ServiceError } from "../../services/services.ts";

/** Whether the database refused what it was given, so that less of it may pass. */
export function isRefused(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === "invalid";
}

const notStored = "What happened here could not be stored.";

const inPlaceOf = (error: RunErrorData): RunErrorData => ({
  code: error.code,
  message: "The run failed; its error could not be stored.",
  hint: "Run it again to see the error.",
  retryable: error.retryable,
});

/** What stands in the log in the place of an event that was refused; the numbering has no gaps. */
export function eventInstead(event: RunEvent, reason: ServiceError): RunEvent {
  if (event.type === "run-end") {
    return { ...event, output: null, ...(event.error ? { error: inPlaceOf(event.error) } : {}) };
  }
  const { runId, seq, at } = event;
  return { runId, seq, at, type: "warning", message: notStored, hint: reason.message };
}

/** The run's row without what may be refused about it. */
export function runInstead(run: RecordedRun): RecordedRun {
  const { schemaVersion, id, name } = run.document;
  return { ...run, input: null, document: { schemaVersion, id, name, nodes: {}, edges: {} } };
}

/** The run's end without what may be refused about it. */
export function endInstead(end: RunEnd): RunEnd {
  return { ...end, output: null, error: end.error && inPlaceOf(end.error), spending: [] };
}
