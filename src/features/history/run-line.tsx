import { Link } from "wouter";
import type { ListedRun } from "../../services/services.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { serverRunText } from "../../state/run/run-status-text.ts";
import { isUnderWay, runLook } from "../../state/run/run-look.ts";
import { inputWords, runDuration } from "./run-words.ts";

interface RunLineProps {
  run: ListedRun;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
  onOpen: () => void;
  onOpenWorkflow: () => void;
  onRemove: () => void;
  onStop: () => void;
  onRetry: () => void;
}

/** Why a run failed or ended early. */
function troubleOf({ status, error, ending }: ListedRun): { message: string; tint: string } | undefined {
  if (status === "failed" && error !== null) return { message: error.message, tint: "text-danger" };
  if (status === "completed" && ending !== null) return { message: ending.message, tint: "text-warning" };
  return undefined;
}

const figure = "text-right text-xs text-muted numeric max-lg:hidden";

/** One run of the list: a click opens it as it was; its box chooses it for what is done with several. */
export function RunLine({ run, chosen, onChoose, onOpen, onOpenWorkflow, onRemove, onStop, onRetry }: RunLineProps) {
  const look = runLook(run);
  const startedAt = Date.parse(run.startedAt);
  const tokens = run.totalTokens ?? 0;
  const duration = runDuration(run);
  const words = inputWords(run.input);
  const name = `${run.workflowName}, ${formatMoment(startedAt)}`;
  const trouble = troubleOf(run);
  const figures = [duration, tokens > 0 ? formatTokens(tokens) : "", tokens > 0 ? formatCost(run.costUsd) : ""];
  return (
    <li
      className={classNames(
        "relative grid grid-cols-[auto_auto_1fr_auto_auto] items-center gap-x-3 border-b px-3 py-2 last:border-b-0 focus-within:bg-hover hover:bg-hover",
        "lg:grid-cols-[auto_116px_1fr_72px_104px_96px_104px_auto]",
        chosen && "bg-accent-soft",
      )}
    >
      <input
        type="checkbox"
        aria-label={`Choose the run ${name}`}
        className="relative z-10 size-4 accent-accent"
        checked={chosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <span className="flex items-center gap-2" title={look.words}>
        <span className={look.tint}>
          <Icon name={look.icon} size={14} />
        </span>
        <span className="max-lg:sr-only">{look.words}</span>
      </span>
      <div className="min-w-0">
        <Link
          href={`/runs/${run.id}`}
          dir="auto"
          className="block truncate text-left font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:ring-2 focus-visible:after:ring-select focus-visible:after:ring-inset"
        >
          {run.workflowName}
          {run.server !== null && <span className="font-normal text-muted"> · {serverRunText(run)}</span>}
          {run.isTrial && <span className="font-normal text-muted"> · test</span>}
          {run.forkedFrom !== null && <span className="font-normal text-muted"> · replay of an earlier run</span>}
        </Link>
        <p dir="auto" className="truncate text-left text-muted">
          {words}
        </p>
        {trouble && <p className={classNames("truncate text-xs max-lg:hidden", trouble.tint)}>{trouble.message}</p>}
      </div>
      {figures.map((text, index) => (
        <span key={index} className={figure}>
          {text}
        </span>
      ))}
      <time dateTime={run.startedAt} className="text-right text-xs text-muted numeric">
        {formatMoment(startedAt)}
      </time>
      <div className="relative z-10 flex">
        <Menu
          trigger={<IconButton icon="ellipsis" label={`Actions for the run ${name}`} size="sm" />}
          items={[
            { label: "Open as it was", icon: "history", onSelect: onOpen },
            { label: "Open the workflow as it is now", icon: "workflow", onSelect: onOpenWorkflow },
            ...(run.server !== null && isUnderWay(run.status)
              ? [{ label: "Stop", icon: "circle-stop" as const, onSelect: onStop }]
              : []),
            ...(run.server !== null && run.status === "failed"
              ? [{ label: "Retry from the failed step", icon: "rotate-ccw" as const, onSelect: onRetry }]
              : []),
            "separator",
            {
              label: "Delete",
              icon: "trash-2",
              danger: true,
              disabled: run.server !== null && isUnderWay(run.status),
              onSelect: onRemove,
            },
          ]}
        />
      </div>
      {/* Have the width of the time above them as well. */}
      <div className="col-span-2 col-start-3 min-w-0 text-xs lg:hidden">
        {trouble && <p className={classNames("line-clamp-2 wrap-anywhere", trouble.tint)}>{trouble.message}</p>}
        <p className="text-muted numeric">{figures.filter((text) => text !== "").join(" · ")}</p>
      </div>
    </li>
  );
}
