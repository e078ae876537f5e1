import type { RunState, RunStatus } from "../../engine/run/run-state.ts";
import { endingLabel } from "../../stores/finish-words.ts";
import { runStatusWords } from "../../stores/run-status-words.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";

const looks: Record<Exclude<RunStatus, "running">, { icon: IconName; tint: string }> = {
  completed: { icon: "circle-check", tint: "text-success" },
  failed: { icon: "circle-x", tint: "text-danger" },
  cancelled: { icon: "circle-stop", tint: "text-muted" },
  interrupted: { icon: "unplug", tint: "text-warning" },
};

/** How a run ended, or that it goes on: icon and word. One that stopped early says what stopped it. */
export function RunStatusMark({ run: { status, ending } }: { run: Pick<RunState, "status" | "ending"> }) {
  if (status === "running") {
    return (
      <span className="flex items-center gap-2">
        <Spinner size={14} label="running" now />
        Running
      </span>
    );
  }
  const early = status === "completed" ? ending : undefined;
  const { icon, tint } = early ? ({ icon: "flag", tint: "text-warning" } as const) : looks[status];
  return (
    <span className="flex items-center gap-2" title={early?.message}>
      <span className={tint}>
        <Icon name={icon} size={14} />
      </span>
      {early ? `Stopped early: ${endingLabel(early.finish).toLowerCase()}` : runStatusWords[status]}
    </span>
  );
}
