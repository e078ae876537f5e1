import { useEffect } from "react";
import { useEditor } from "../../stores/editor-context.tsx";

/** Starts saving for the open workflow, and writes at once when the page loses focus or the connection is back. */
export function useAutosave(): void {
  const { autosave, document: store } = useEditor();
  useEffect(() => {
    const stop = autosave.start();
    const leave = new AbortController();
    const { signal } = leave;
    const flush = () => void autosave.flush();
    window.addEventListener("blur", flush, { signal });
    window.addEventListener("online", flush, { signal });
    window.addEventListener("pagehide", flush, { signal });
    document.addEventListener("visibilitychange", flush, { signal });
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
      void autosave.flush();
      stop();
    };
  }, [autosave, store]);
}
