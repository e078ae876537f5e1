import { createStore } from "zustand/vanilla";
import type { Json } from "../../engine/json.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { newId } from "../../stores/new-id.ts";
import type { Execution, RunControl, RunPage, RunStart } from "../../stores/run-control.ts";
import { showToast } from "../../ui/toast.tsx";
import type { ExecutionServices, ExecutionSession } from "./execute-run.ts";

/** Loaded with the first run. */
const loadEngine = loadOnce(() => import("./execute-run.ts"));

/** The engine in the browser: a run's events go to the run store and to the database, each at its own pace. */
export function createExecution(
  session: ExecutionSession,
  services: ExecutionServices,
  load: () => Promise<typeof import("./execute-run.ts")> = loadEngine,
): Execution {
  const store = createStore<Pick<RunControl, "running" | "blocked">>()(() => ({ running: false, blocked: [] }));
  let controller: AbortController | null = null;

  const execute = async (page: RunPage, runId: string, input: Json, options: RunStart, signal: AbortSignal) => {
    // As it is now, whatever is changed while the engine is loaded.
    const { document = page.document.getState().document, ...extent } = options;
    const engine = await load().catch(() => null);
    if (engine === null) {
      session.runs.getState().withdraw(runId);
      showToast(
        "The workflow engine could not be loaded.",
        {
          id: "engine-missing",
          hint: "You may be offline, or Switchyard was updated. If trying again does not help, reload the page.",
          action: { label: "Try again", onClick: () => void start(page, input, options) },
        },
        "error",
      );
      return;
    }
    await engine.executeRun({ session, services, runId, input, document, extent, signal });
  };

  const start: Execution["start"] = (page, input, options = {}) => {
    if (store.getState().running) return null;
    // Before the checks are loaded the engine itself refuses what cannot run.
    const blocked = page.problems.checkRun(input, options) ?? [];
    store.setState({ blocked });
    if (blocked.length > 0) return null;
    const runId = newId();
    controller = new AbortController();
    store.setState({ running: true });
    session.runs.getState().begin(runId, input);
    void execute(page, runId, input, options, controller.signal).finally(() => store.setState({ running: false }));
    return runId;
  };

  return {
    store,
    start,
    stop: () => controller?.abort(),
    dismiss: () => store.setState({ blocked: [] }),
  };
}
