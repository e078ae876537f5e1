import { totalTokens } from "../../engine/model/usage.ts";
import { progressWords } from "../../engine/tool/tool.ts";
import type { NodeRunState } from "../../engine/run/run-state.ts";
import { endingLabel } from "../../state/run/finish-message.ts";
import { wasStopped } from "../../state/run/was-stopped.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";

/** What a node's run state says in a few words, for the card's corner; how long a node runs already is told beside it. */
export function runText(run: NodeRunState): string {
  const took =
    run.startedAt !== undefined && run.endedAt !== undefined ? formatDuration(run.endedAt - run.startedAt) : "";
  switch (run.status) {
    case "waiting":
      return "waiting";
    case "running":
      if (run.waitUntil !== undefined) return `waits until ${formatMoment(run.waitUntil)}`;
      if (run.retry) return `retry ${run.retry.attempt} of ${run.retry.maxAttempts}`;
      if (run.progress) return progressWords(run.progress);
      return joined(iterationWords(run) || "running", tokenWords(run));
    case "approval":
      return "waiting for you";
    case "paused":
      return "paused";
    case "done":
      if (run.ending) return joined(endingLabel(run.ending.finish).toLowerCase(), took);
      return joined(run.uses > 1 ? `${run.uses} ×` : took, tokenWords(run));
    case "rejected":
      return "rejected";
    case "failed":
      return joined(wasStopped(run) ? "stopped" : "failed", took);
    case "skipped":
      return "skipped";
  }
}

function iterationWords({ iteration, maxIterations, round = 1 }: NodeRunState): string {
  if (iteration === undefined || maxIterations === undefined) return "";
  const words = `${iteration} of ${maxIterations}`;
  return round > 1 ? `round ${round} · ${words}` : words;
}

/** Tokens as a card has room for: "2,394 tok", "12.4k tok". */
function tokenWords({ usage }: NodeRunState): string {
  const tokens = usage === undefined ? 0 : totalTokens(usage);
  if (tokens === 0) return "";
  return tokens < 10_000
    ? `${tokens.toLocaleString("en")} tok`
    : `${(tokens / 1000).toFixed(tokens < 100_000 ? 1 : 0)}k tok`;
}

function joined(...words: string[]): string {
  return words.filter((word) => word !== "").join(" · ");
}
