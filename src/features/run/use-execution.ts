import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { keptExecution, showSession } from "../../state/run/run-sessions.ts";
import { createExecution } from "./execution.ts";

/**
 * Runs the open workflow in the browser. Call it once per page and hand on what it returns. A run outlives its page: who
 * comes back to `home`, the page's address, finds it as it is then.
 */
export function useExecution(home: string): RunControl {
  const editor = useEditor();
  const services = useServices();
  const execution = useMemo(() => keptExecution(editor.runs) ?? createExecution(editor, services), [editor, services]);
  const running = useStore(execution.store, (state) => state.running);
  const blocked = useStore(execution.store, (state) => state.blocked);

  useEffect(
    () => showSession(home, { session: editor, execution, name: () => editor.document.getState().document.name }),
    [home, editor, execution],
  );

  return useMemo(() => {
    const { store: progress, prepare, stop, dismiss } = execution;
    return { running, blocked, progress, prepare, start: (...run) => execution.start(editor, ...run), stop, dismiss };
  }, [editor, execution, running, blocked]);
}
