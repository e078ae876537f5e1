import { useMemo } from "react";
import { previewScope, unknownVariables } from "../../engine/run/preview-scope.ts";
import type { TemplateData } from "../../forms/template/template-data.tsx";
import { useDocumentStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun, type RunStoreState } from "../../state/run/run-store.ts";

/** Changes when a node of the run on show has begun, is held, or has ended, and not with every token. */
function progressOf(state: RunStoreState): string {
  const run = currentRun(state);
  if (run === undefined) return "";
  const nodes = Object.values(run.nodes);
  const begun = nodes.filter(({ input, output }) => input !== undefined || output !== undefined);
  const held = nodes.flatMap(({ pauses = [] }) => pauses.map(({ pauseId }) => pauseId));
  return `${run.runId} ${run.status} ${begun.length} ${held.join(" ")}`;
}

/** The data that a node's templates see: the run on show, pinned outputs, and what needs neither. */
export function useNodeData(nodeId: string): TemplateData {
  const { registry, document, runs } = useEditor();
  const progress = useRunStore(progressOf);
  const isLive = useRunStore((state) => currentRun(state)?.status === "running");
  const vars = useDocumentStore((state) => state.document.vars);
  const pins = useDocumentStore((state) => Object.values(state.document.nodes).filter(({ pin }) => pin).length);
  return useMemo(
    () => ({
      hasData: progress !== "" || pins > 0,
      isRunning: isLive,
      unknown: () => unknownVariables(document.getState().document, registry, nodeId, currentRun(runs.getState())),
      scope: () =>
        previewScope(document.getState().document, registry, nodeId, currentRun(runs.getState()), {
          now: Date.now(),
          ...(vars ? { vars } : {}),
        }),
    }),
    [document, runs, registry, nodeId, progress, isLive, vars, pins],
  );
}
