import { useEffect } from "react";
import { useDocumentStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { loadProblemChecks } from "../../state/document/load-problem-checks.ts";
import { currentRun, type RunStoreState } from "../../state/run/run-store.ts";

/** The run on show once it has ended; empty before. */
function endedRun(state: RunStoreState): string {
  const run = currentRun(state);
  return run === undefined || run.status === "running" ? "" : run.runId;
}

/** Says on the node when its session has no value in the data of the run on show. */
export function useSessionProblems(): void {
  const { problems, registry, runs } = useEditor();
  const runId = useRunStore(endedRun);
  const document = useDocumentStore((state) => state.document);

  useEffect(() => {
    if (runId === "") return problems.setOutside("sessions", []);
    let stale = false;
    const timer = setTimeout(() => {
      void loadProblemChecks().then(
        ({ identityProblems }) => {
          const run = runs.getState().runs[runId];
          if (!stale && run) {
            problems.setOutside("sessions", identityProblems(document, registry, run, Date.now()));
          }
          return undefined;
        },
        () => undefined,
      );
    }, 200);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [problems, registry, runs, runId, document]);
}
