import type { NodeRunState } from "../../engine/run/run-state.ts";

/** A duration as people read it: "340 ms", "2.1 s", "3 min 5 s". */
export function durationWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** What a node's run state says in a few words, for the card's corner and for screen readers. */
export function runWords(run: NodeRunState): string {
  const took =
    run.startedAt !== undefined && run.endedAt !== undefined ? durationWords(run.endedAt - run.startedAt) : "";
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
