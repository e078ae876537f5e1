import type { RunSummary, StoredRunStatus } from "../../services/run-history.ts";
import { endingLabel } from "./finish-message.ts";
import { runStatusLooks, runStatusText } from "./run-status-text.ts";

/** The mark of one run, with its word: a run that stopped early is not shown as one that did all it was asked. */
export function runLook({ status, ending }: Pick<RunSummary, "status" | "ending">) {
  if (status === "completed" && ending !== null)
    return { icon: "flag", tint: "text-warning", words: endingLabel(ending.finish) } as const;
  return { ...runStatusLooks[status], words: runStatusText[status] };
}

/** The word of a run with when it started, such as "Failed 3 minutes ago" or "Running, started just now". */
export function runSince(run: Pick<RunSummary, "status" | "ending">, started: string): string {
  const { words } = runLook(run);
  return isUnderWay(run.status) ? `${words}, started ${started}` : `${words} ${started}`;
}

/** Runs that go on, or will, are not deleted: those of the server have to be stopped first. */
export function isUnderWay(status: StoredRunStatus): boolean {
  return status === "queued" || status === "running" || status === "waiting";
}
