import type { RunSummary } from "../../services/services.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { serverRunText } from "../../state/run/run-status-text.ts";
import { isUnderWay, runLook } from "../../state/run/run-look.ts";
import { inputWords, runDuration } from "./run-words.ts";

interface HistoryRowProps {
  run: RunSummary;
  shown: boolean;
  busy: boolean;
  onOpen: () => void;
  onOpenAsItWas: () => void;
  onShare: () => void;
  onRemove: () => void;
}

/** One stored run: how it ended, what it was given, when, how long, how much. */
export function HistoryRow({ run, shown, busy, onOpen, onOpenAsItWas, onShare, onRemove }: HistoryRowProps) {
  const status = runLook(run);
  return (
    <li
      className={classNames(
        "flex items-center border-b pr-2 last:border-b-0",
        shown ? "bg-accent-soft" : "focus-within:bg-hover hover:bg-hover",
      )}
    >
      <button
        type="button"
        aria-current={shown}
        className="grid min-w-0 flex-1 grid-cols-[auto_1fr_auto] items-center gap-x-3 px-3 py-1.5 text-left outline-offset-[-2px] @2xl:grid-cols-[112px_1fr_72px_104px_88px_112px]"
        onClick={onOpen}
      >
        <span className="flex items-center gap-2" title={run.ending?.message}>
          <span className={status.tint}>{busy ? <Spinner size={14} /> : <Icon name={status.icon} size={14} />}</span>
          <span className="sr-only @2xl:not-sr-only">{status.words}</span>
        </span>
        <span dir="auto" className="truncate text-left">
          {inputWords(run.input)}
          {run.server !== null && <span className="text-muted"> · {serverRunText(run)}</span>}
        </span>
        <span className="hidden text-right text-xs text-muted numeric @2xl:block">{runDuration(run)}</span>
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
      <Menu
        trigger={
          <IconButton
            icon="ellipsis"
            size="sm"
            label={`Actions for the run of ${formatMoment(Date.parse(run.startedAt))}`}
          />
        }
        items={[
          { label: "Open as it was", icon: "history", onSelect: onOpenAsItWas },
          { label: "Share", icon: "share", disabled: isUnderWay(run.status), onSelect: onShare },
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
    </li>
  );
}
