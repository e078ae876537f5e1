import { useMemo } from "react";
import { previewScope } from "../../engine/run/preview-scope.ts";
import type { TemplateData } from "../../forms/template/template-data.tsx";
import { useDocumentStore, useEditor, useRunStore } from "../../stores/editor-context.tsx";
import { currentRun, type RunStoreState } from "../../stores/run-store.ts";

/** Changes when a node of the run on show has begun or ended, and not with every token. */
function progressOf(state: RunStoreState): string {
  const run = currentRun(state);
  if (run === undefined) return "";
  const nodes = Object.values(run.nodes).filter(({ input, output }) => input !== undefined || output !== undefined);
  return `${run.runId} ${run.status} ${nodes.length}`;
}

/** The data that a node's templates see: the run on show, pinned outputs, and what needs neither. */
export function useNodeData(nodeId: string): TemplateData {
  const { registry, document, runs } = useEditor();
  const progress = useRunStore(progressOf);
  const vars = useDocumentStore((state) => state.document.vars);
  const pins = useDocumentStore((state) => Object.values(state.document.nodes).filter(({ pin }) => pin).length);
  return useMemo(
    () => ({
      hasData: progress !== "" || pins > 0,
      scope: () =>
        previewScope(document.getState().document, registry, nodeId, currentRun(runs.getState()), {
          now: Date.now(),
          ...(vars ? { vars } : {}),
        }),
    }),
    [document, runs, registry, nodeId, progress, vars, pins],
  );
}
