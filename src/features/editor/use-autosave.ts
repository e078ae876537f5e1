import { useEffect } from "react";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { saveAfterLeaving } from "../../state/document/left-autosaves.ts";

/**
 * Starts saving for the open workflow, and writes at once when the page loses focus, the connection is back or the session is
 * good again. A page that comes to the front shows what was changed elsewhere.
 */
export function useAutosave(): void {
  const { workflowId, autosave, document: store } = useEditor();
  const { auth } = useServices();
  useEffect(() => {
    const stop = autosave.start();
    const leave = new AbortController();
    const { signal } = leave;
    const flush = () => void autosave.flush();
    const refresh = () => void (document.visibilityState === "visible" && autosave.refresh());
    window.addEventListener("blur", flush, { signal });
    window.addEventListener("online", flush, { signal });
    window.addEventListener("pagehide", flush, { signal });
    document.addEventListener("visibilitychange", flush, { signal });
    document.addEventListener("visibilitychange", refresh, { signal });
    window.addEventListener("focus", refresh, { signal });
    signal.addEventListener(
      "abort",
      auth.onChange((account) => account !== null && flush()),
    );
    window.addEventListener(
      "beforeunload",
      (event) => {
        const { saveState, draftProblem } = store.getState();
        if (saveState.status !== "saved" && draftProblem !== null) event.preventDefault();
      },
      { signal },
    );
    return () => {
      leave.abort();
      if (store.getState().saveState.status !== "saved") saveAfterLeaving(workflowId, autosave);
      stop();
    };
  }, [workflowId, autosave, auth, store]);
}
