import type { RunStatus } from "../../engine/run/run-state.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";

const looks: Record<Exclude<RunStatus, "running">, { icon: IconName; tint: string; words: string }> = {
  completed: { icon: "circle-check", tint: "text-success", words: "Completed" },
  failed: { icon: "circle-x", tint: "text-danger", words: "Failed" },
  cancelled: { icon: "circle-stop", tint: "text-muted", words: "Stopped" },
  interrupted: { icon: "unplug", tint: "text-warning", words: "Interrupted" },
};

/** How a run ended, in a word. */
export function runStatusWords(status: RunStatus): string {
  return status === "running" ? "Running" : looks[status].words;
}

/** How a run ended, or that it goes on: icon and word. */
export function RunStatusMark({ status }: { status: RunStatus }) {
  if (status === "running") {
    return (
      <span className="flex items-center gap-2">
        <Spinner size={14} label="running" now />
        Running
      </span>
    );
  }
  const { icon, tint, words } = looks[status];
  return (
    <span className="flex items-center gap-2">
      <span className={tint}>
        <Icon name={icon} size={14} />
      </span>
      {words}
    </span>
  );
}
