import type { NodeRunState } from "../../engine/run/run-state.ts";
import { formatDuration } from "../../ui/format-duration.ts";

/** What a node's run state says in a few words, for the card's corner. */
export function runWords(run: NodeRunState): string {
  const took =
    run.startedAt !== undefined && run.endedAt !== undefined ? formatDuration(run.endedAt - run.startedAt) : "";
  switch (run.status) {
    case "waiting":
      return "";
    case "running":
      if (run.retry) return `retry ${run.retry.attempt} of ${run.retry.maxAttempts}`;
      return run.iteration !== undefined && run.maxIterations !== undefined
        ? `${run.iteration} of ${run.maxIterations}`
        : "running";
    case "approval":
      return "waiting for you";
    case "done":
      return run.uses > 1 ? `${run.uses} ×` : took;
    case "failed":
      return took === "" ? "failed" : `failed · ${took}`;
    case "skipped":
      return "skipped";
  }
}
