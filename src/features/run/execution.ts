import { createStore, type StoreApi } from "zustand/vanilla";
import type { Json } from "../../engine/json.ts";
import type { Editor } from "../../stores/editor-context.tsx";
import { newId } from "../../stores/new-id.ts";
import { nextFrame } from "../../stores/next-frame.ts";
import { forgetOwnRun, rememberOwnRun } from "../../stores/own-runs.ts";
import { forkPointOf } from "../../engine/run/replay/fork-point.ts";
import type { RunControl, RunStart } from "../../stores/run-control.ts";
import { holdRunLock } from "../../stores/run-lock.ts";
import { recordRun } from "../../stores/run-recorder.ts";
import type { Services } from "../../stores/services.ts";
import { failedRunEnd } from "./failed-run-end.ts";

/** Starts and stops runs of one open workflow; its store holds what buttons need to know. */
export interface Execution extends Pick<RunControl, "start" | "stop" | "dismiss"> {
  store: StoreApi<Pick<RunControl, "running" | "blocked">>;
}

type ExecutionEditor = Pick<
  Editor,
  "workflowId" | "registry" | "document" | "runs" | "approvals" | "breakpoints" | "pauses" | "problems"
>;

/** The engine in the browser: a run's events go to the run store and to the database, each at its own pace. */
export function createExecution(editor: ExecutionEditor, services: Pick<Services, "createHost" | "runs">): Execution {
  const store = createStore<Pick<RunControl, "running" | "blocked">>()(() => ({ running: false, blocked: [] }));
  let controller: AbortController | null = null;

  const execute = async (runId: string, input: Json, options: RunStart, signal: AbortSignal) => {
    const { document = editor.document.getState().document, ...extent } = options;
    const runs = editor.runs.getState();
    const approve = editor.approvals.approverFor(runId);
    const host = services.createHost({ workflowId: editor.workflowId, approve, pause: editor.pauses.pauserFor(runId) });
    const release = holdRunLock(runId);
    rememberOwnRun(runId);
    const recorder = recordRun(
      { id: runId, workflowId: editor.workflowId, input, document, startedAt: host.now(), ...forkOf(options) },
      {
        repository: services.runs,
        registry: editor.registry,
        onState: (state) => runs.setSaving(runId, state),
      },
    );
    void recorder.done.then(() => {
      forgetOwnRun(runId);
      release();
    });
    try {
      const [{ runWorkflow }, { expectNodes }] = await Promise.all([
        import("../../engine/run/run-workflow.ts"),
        import("./expect-nodes.ts"),
      ]);
      expectNodes(editor.runs, runId, { document, registry: editor.registry, extent: { ...extent, input } });
      // What the start of a run does to the page is drawn before the engine's first piece of work.
      await new Promise<void>((resolve) => nextFrame(resolve));
      const { breakpoints } = editor.breakpoints;
      const run = { ...extent, registry: editor.registry, host, input, signal, runId, breakpoints };
      for await (const event of runWorkflow(document, run)) {
        runs.apply([event]);
        recorder.push(event);
      }
    } catch (error) {
      const event = failedRunEnd(runId, editor.runs.events(runId), error, host.now());
      runs.apply([event]);
      recorder.push(event);
    }
    runs.flush();
  };

  return {
    store,
    start(input, options = {}) {
      if (store.getState().running) return null;
      // Before the checks are loaded the engine itself refuses what cannot run.
      const blocked = editor.problems.checkRun(input, options) ?? [];
      store.setState({ blocked });
      if (blocked.length > 0) return null;
      const runId = newId();
      controller = new AbortController();
      store.setState({ running: true });
      editor.runs.getState().begin(runId, input);
      void execute(runId, input, options, controller.signal).finally(() => store.setState({ running: false }));
      return runId;
    },
    stop: () => controller?.abort(),
    dismiss: () => store.setState({ blocked: [] }),
  };
}

function forkOf({ replay }: RunStart) {
  return replay ? { forkedFrom: forkPointOf(replay) } : {};
}
