import type { Json } from "../../engine/json.ts";
import { isJsonObject } from "../../engine/json.ts";
import type { RunStatus } from "../../engine/run/run-state.ts";
import type { RunSummary } from "../../stores/services.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatCost, formatTokens } from "../../ui/format-amount.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { formatMoment } from "../../ui/format-moment.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface HistoryRowProps {
  run: RunSummary;
  shown: boolean;
  busy: boolean;
  onOpen: () => void;
}

/** One stored run: how it ended, what it was given, when, how long, how much. */
export function HistoryRow({ run, shown, busy, onOpen }: HistoryRowProps) {
  const status = statuses[run.status];
  const duration = run.endedAt === null ? null : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-current={shown}
        className={classNames(
          "grid w-full grid-cols-[auto_1fr_auto] items-center gap-x-3 px-3 py-1.5 text-left outline-offset-[-2px] @2xl:grid-cols-[112px_1fr_72px_104px_88px_112px]",
          shown ? "bg-accent-soft" : "hover:bg-hover",
        )}
        onClick={onOpen}
      >
        <span className="flex items-center gap-2">
          <span className={status.tint}>{busy ? <Spinner size={14} /> : <Icon name={status.icon} size={14} />}</span>
          <span className="sr-only @2xl:not-sr-only">{status.words}</span>
        </span>
        <span className="truncate">{inputWords(run.input)}</span>
        <span className="hidden text-right text-xs text-muted numeric @2xl:block">
          {duration !== null && run.status !== "interrupted" && formatDuration(duration)}
        </span>
        <span className="hidden text-right text-xs text-muted numeric @2xl:block">
          {run.totalTokens !== null && run.totalTokens > 0 && formatTokens(run.totalTokens)}
        </span>
        <span className="hidden text-right text-xs text-muted numeric @2xl:block">
          {run.totalTokens !== null && run.totalTokens > 0 && formatCost(run.costUsd)}
        </span>
        <time dateTime={run.startedAt} className="text-right text-xs text-muted numeric">
          {formatMoment(Date.parse(run.startedAt))}
        </time>
      </button>
    </li>
  );
}

const statuses: Record<RunStatus, { icon: IconName; tint: string; words: string }> = {
  running: { icon: "play", tint: "text-accent", words: "Running" },
  completed: { icon: "circle-check", tint: "text-success", words: "Completed" },
  failed: { icon: "circle-x", tint: "text-danger", words: "Failed" },
  cancelled: { icon: "circle-stop", tint: "text-muted", words: "Stopped" },
  interrupted: { icon: "unplug", tint: "text-warning", words: "Interrupted" },
};

/** What a run was given: the chat message, or the input as JSON. */
function inputWords(input: Json): string {
  if (isJsonObject(input) && typeof input.message === "string") return input.message.slice(0, 300);
  return JSON.stringify(input).slice(0, 300);
}
