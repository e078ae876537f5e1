import type { ReactNode } from "react";
import { demoProvider } from "../../providers/demo.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";

/** Whether the demo model answers for an agent of the workflow. */
export function demoAnswers({ nodes, edges }: Pick<WorkflowDocument, "nodes" | "edges">): boolean {
  return Object.values(edges).some(
    ({ from, to }) =>
      to.port === "model" && nodes[from.node]?.type === demoProvider.nodeType && nodes[to.node]?.disabled !== true,
  );
}

/** Says once that no AI answers here, with the way to one. */
export function DemoNotice({ offer }: { offer?: ReactNode }) {
  const { canvas, readOnly } = useEditor();
  const shown = useDocumentStore(({ document }) => demoAnswers(document));
  const open = useCanvasStore((state) => state.realModelOpen);
  if (!shown || readOnly) return null;
  if (offer) return offer;
  return (
    <p className="flex items-center justify-center gap-3 max-sm:justify-between border-t px-3 py-1.5 text-xs text-muted">
      <span>Demo model: simple rules, no AI.</span>
      <Button size="sm" aria-expanded={open} onClick={() => canvas.setState({ realModelOpen: true })}>
        Use a real model
      </Button>
    </p>
  );
}
