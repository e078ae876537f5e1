import { panelStore } from "../../stores/panel-store.ts";
import type { RunControl } from "../../stores/run-control.ts";
import { currentRun, type RunStore } from "../../stores/run-store.ts";

/** Runs the workflow, as it is now, with the input of the run on show. */
export function runAgain(runs: RunStore, control: Pick<RunControl, "start">): void {
  const input = currentRun(runs.getState())?.input;
  if (input === undefined) return;
  control.start(input);
  const panel = panelStore.getState();
  panel.chooseStep(null);
  if (!panel.open) panel.show("steps");
}
