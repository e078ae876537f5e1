import type { WorkflowDocument } from "../../document/workflow-document.ts";
import type { RunEvent } from "../events.ts";

/** What a finished or broken-off run left behind, to be served again. Made by `recordingOf`. */
export interface Recording {
  runId: string;
  /** All events in order of `seq`. */
  events: readonly RunEvent[];
  /** The workflow as it was; with it, nodes whose settings differ now are run instead of served. */
  document?: WorkflowDocument;
}

/** Orders the stored events of one run and drops doubles. Texts are taken from the responses, so deltas may be missing. */
export function recordingOf(events: readonly RunEvent[], document?: WorkflowDocument): Recording {
  const bySeq = new Map<number, RunEvent>();
  const runId = events[0]?.runId ?? "";
  for (const event of events) if (event.runId === runId) bySeq.set(event.seq, event);
  const ordered = [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
  return { runId, events: ordered, ...(document ? { document } : {}) };
}
