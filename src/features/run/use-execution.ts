import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import type { RunControl } from "../../stores/run-control.ts";
import { createExecution } from "./execution.ts";

/** Runs the open workflow in the browser. Call it once per editor page and hand on what it returns. */
export function useExecution(): RunControl {
  const editor = useEditor();
  const services = useServices();
  const execution = useMemo(() => createExecution(editor, services), [editor, services]);
  const { running, blocked } = useStore(execution.store);

  // Leaving the editor stops the run: nobody would see it, and its tab may be closed at any moment.
  useEffect(() => () => execution.stop(), [execution]);

  useEffect(() => {
    if (!running) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [running]);

  return useMemo(() => {
    const { start, stop, dismiss } = execution;
    return { running, blocked, start, stop, dismiss };
  }, [execution, running, blocked]);
}
