import type { ReactNode } from "react";
import { demoProvider } from "../../providers/demo.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { useCanvasStore, useDocumentStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { panelStore, usePanelStore } from "../../state/editor/panel-store.ts";
import type { RunStoreState } from "../../state/run/run-store.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";

/** Whether the demo model answers for an agent of the workflow. */
function demoAnswers({ nodes, edges }: Pick<WorkflowDocument, "nodes" | "edges">): boolean {
  return Object.values(edges).some(
    ({ from, to }) =>
      to.port === "model" && nodes[from.node]?.type === demoProvider.nodeType && nodes[to.node]?.disabled !== true,
  );
}

/** The last model call of the tab's latest run, once that has ended; `null` while there is none to show. */
function lastCall({ started, runs }: RunStoreState): string | null {
  const run = runs[started.at(-1) ?? ""];
  if (run === undefined || run.status === "running") return null;
  return run.steps.findLast(({ kind }) => kind === "model")?.id ?? null;
}

/**
 * One line above the input: that no AI answers here, with the way to one, and what was sent to the model. The latter stays
 * on the demo model, and otherwise until the steps were seen in this browser; `aside` has no run panel to show them in.
 */
export function ChatHints({ aside, offer }: { aside: boolean; offer?: ReactNode }) {
  const { canvas, readOnly } = useEditor();
  const isDemo = useDocumentStore(({ document }) => demoAnswers(document)) && !readOnly;
  const open = useCanvasStore((state) => state.realModelOpen);
  const known = usePanelStore((state) => state.stepsKnown);
  const call = useRunStore(lastCall);
  const canSee = call !== null && !aside && (isDemo || !known);
  if (!isDemo && !canSee) return null;
  if (isDemo && offer) return offer;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-t px-3 py-1.5 text-xs text-muted">
      {isDemo && <Badge>Demo, no AI</Badge>}
      <span className="ml-auto flex flex-wrap justify-end gap-1">
        {canSee && <SeeSent call={call} />}
        {isDemo && (
          <Button size="sm" aria-expanded={open} onClick={() => canvas.setState({ realModelOpen: true })}>
            Use a real model
          </Button>
        )}
      </span>
    </div>
  );
}

function SeeSent({ call }: { call: string }) {
  const { runs } = useEditor();
  const see = () => {
    const { started, show } = runs.getState();
    show(started.at(-1) ?? null);
    panelStore.getState().showSent(call);
  };
  return (
    <Button size="sm" variant="ghost" onClick={see}>
      See what was sent
    </Button>
  );
}
