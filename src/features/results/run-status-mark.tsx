import type { RunState } from "../../engine/run/run-state.ts";
import { endingLabel } from "../../state/run/finish-message.ts";
import { runStatusLooks, runStatusText } from "../../state/run/run-status-text.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";

/** How a run ended, or how it stands: icon and word. One that stopped early says what stopped it. */
export function RunStatusMark({
  run: { status, idle, ending },
}: {
  run: Pick<RunState, "status" | "idle" | "ending">;
}) {
  if (status === "running" && idle === undefined) {
    return (
      <span className="flex items-center gap-2">
        <Spinner size={14} label="running" now />
        Running
      </span>
    );
  }
  const early = status === "completed" ? ending : undefined;
  const shown = status === "running" ? (idle ?? status) : status;
  const { icon, tint } = early ? ({ icon: "flag", tint: "text-warning" } as const) : runStatusLooks[shown];
  return (
    <span className="flex items-center gap-2" title={early?.message}>
      <span className={tint}>
        <Icon name={icon} size={14} />
      </span>
      {early ? `Stopped early: ${endingLabel(early.finish).toLowerCase()}` : runStatusText[shown]}
    </span>
  );
}
