import { useState } from "react";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { canBeginAt } from "../../evaluation/suite/case-start.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import type { RunSummary } from "../../services/services.ts";
import type { CallStep, NodeStep } from "../../state/run/step-actions.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { SaveStepDialog } from "./save-step-dialog.tsx";

interface SaveStepButtonProps {
  step: CallStep | NodeStep;
  /** A stored run, and the workflow as it was. */
  run: { summary: RunSummary; events: readonly RunEvent[]; document: WorkflowDocument };
  onOpenSuite(suiteId: string): void;
}

/** “Save step as test case” for one step of a stored run; nothing where no case can begin. */
export function SaveStepButton({ step, run, onOpenSuite }: SaveStepButtonProps) {
  const { registry } = useEditor();
  const [open, setOpen] = useState(false);
  // While a fork of the run is shown, its steps are another run's.
  const isShown = useRunStore((state) => state.currentRunId === run.summary.id);
  const { summary, events, document } = run;
  const isOver = summary.status !== "running" && isFinished(step);
  // What a workflow did that was called as a tool is a step of that workflow.
  const isOwn = Object.hasOwn(document.nodes, step.nodeId);
  if (!isShown || !isOver || !isOwn || (step.kind === "node" && !canBeginAt(document, registry, step.nodeId)))
    return null;
  return (
    <>
      <Button size="sm" icon="flask-conical" onClick={() => setOpen(true)}>
        Save step as test case
      </Button>
      {open && (
        <SaveStepDialog
          workflowId={summary.workflowId}
          run={{ events, document, registry }}
          place={step.kind === "node" ? { nodeId: step.nodeId } : { callId: callIdOf(step) }}
          onOpenSuite={onOpenSuite}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function callIdOf(step: CallStep): string {
  return step.kind === "model" ? step.request.callId : step.start.callId;
}

function isFinished(step: CallStep | NodeStep): boolean {
  if (step.kind === "node") return step.status === "done" || step.status === "failed";
  return step.kind === "model" ? step.response !== undefined : step.end !== undefined;
}
