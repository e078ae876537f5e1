import { missingCodeHint } from "../../services/missing-code.ts";
import { createStore } from "zustand/vanilla";
import type { Problem } from "../../engine/document/problem.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { newId } from "../../state/shared/new-id.ts";
import type { Execution, RunPage, RunStart } from "../../state/run/run-control.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import type { ExecutionServices, ExecutionSession } from "./execute-run.ts";

type Engine = typeof import("./execute-run.ts");

/** Loaded with the first run, or when one is likely. */
const loadEngine = loadOnce(() => import("./execute-run.ts"));

type RunExtentOptions = Omit<RunStart, "document" | "startsAfter">;

/** A run that has not ended. */
interface OpenRun {
  id: string;
  input: Json;
  document: WorkflowDocument;
  extent: RunExtentOptions;
  startsAfter: RunStart["startsAfter"];
  controller: AbortController;
  answered: boolean;
  /** Resolves when the run before it has ended. */
  before: Promise<void> | undefined;
  /** Resolves once the page shows it. */
  shown: Promise<void>;
}

/** The engine in the browser: a run's events go to the run store and to the database, each at its own pace. */
export function createExecution(
  session: ExecutionSession,
  services: ExecutionServices,
  load: () => Promise<Engine> = loadEngine,
): Execution {
  const store = createStore<ReturnType<Execution["store"]["getState"]>>()(() => ({
    running: false,
    answered: false,
    blocked: [],
  }));
  let engine: Engine | null = null;
  let latest: OpenRun | null = null;
  let ended: Promise<void> | undefined;
  let endRefusal = () => {};

  const loaded = async () => (engine = await load().catch(() => null));

  const onAnswered = (run: OpenRun) => {
    run.answered = true;
    if (latest === run) store.setState({ answered: true });
  };

  const hostFor = (runId: string) => {
    const approve = session.approvals.approverFor(runId);
    const pause = session.pauses.pauserFor(runId);
    const host = services.createHost({ workflowId: session.workflowId, approve, pause });
    return { ...host, showsApps: true as const };
  };

  const sayMissing = async ({ id: runId, shown }: OpenRun, again: () => void) => {
    await shown;
    session.runs.getState().withdraw(runId);
    showToast(
      "The workflow engine could not be loaded.",
      {
        id: "engine-missing",
        hint: missingCodeHint,
        action: { label: "Try again", onClick: again },
      },
      "error",
    );
  };

  const execute = async (run: OpenRun, again: () => void) => {
    const { id: runId, input, document, extent, controller, shown, startsAfter } = run;
    if (run.before !== undefined) await run.before;
    const ready = engine ?? (await loaded());
    if (ready === null) return sayMissing(run, again);
    const { signal } = controller;
    if (startsAfter !== undefined && !signal.aborted) {
      const isDone = await startsAfter().then(
        () => true,
        () => false,
      );
      if (!isDone) return session.runs.getState().withdraw(runId);
    }
    const host = hostFor(runId);
    const answered = () => onAnswered(run);
    const begun = { session, services, host, runId, input, document, extent, signal, shown, onAnswered: answered };
    await ready.executeRun(begun);
  };

  /**
   * Shows that a run begins: at once, or, where the engine can begin at once, right behind that. To draw a page anew takes
   * longer than to send the run's first request, and the answer is worth more.
   */
  const show = (runId: string, input: Json, canBegin: boolean): Promise<void> => {
    const showNow = () => {
      session.runs.getState().begin(runId, input);
      store.setState({ running: true, answered: false, blocked: [] });
    };
    if (canBegin) return new Promise((resolve) => setTimeout(() => resolve(showNow())));
    showNow();
    return Promise.resolve();
  };

  /** Asks again after each edit, so that what was mended leaves the list, until nothing is left of it. */
  const watchRefusal = (check: () => readonly Problem[], problems: RunPage["problems"]) => {
    let checking = false;
    endRefusal = problems.subscribe(() => {
      // The check itself refreshes the problems.
      if (checking) return;
      checking = true;
      const blocked = check();
      checking = false;
      if (blocked.length === 0) dismiss();
      else store.setState({ blocked });
    });
  };

  const dismiss = () => {
    endRefusal();
    store.setState({ blocked: [] });
  };

  const start: Execution["start"] = (page: RunPage, input, options = {}) => {
    if (latest !== null && !latest.answered) return null;
    // Before the checks are loaded the engine itself refuses what cannot run.
    const check = () => page.problems.checkRun(input, options) ?? [];
    endRefusal();
    const blocked = check();
    if (blocked.length > 0) {
      store.setState({ blocked });
      watchRefusal(check, page.problems);
      return null;
    }
    const id = newId();
    // The document as it is now, whatever is changed before the engine is loaded.
    const { document = page.document.getState().document, startsAfter, ...extent } = options;
    const before = latest === null ? undefined : ended;
    const shown = show(id, input, engine !== null && before === undefined && startsAfter === undefined);
    const controller = new AbortController();
    const run = { id, input, document, extent, startsAfter, controller, answered: false, before, shown };
    latest = run;
    ended = execute(run, () => void start(page, input, options)).finally(() => {
      if (latest !== run) return;
      latest = null;
      store.setState({ running: false, answered: false });
    });
    return id;
  };

  return {
    store,
    start,
    prepare: () => {
      if (engine === null) void loaded();
    },
    stop: () => latest?.controller.abort(),
    dismiss,
  };
}
