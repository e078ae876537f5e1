import { useMemo } from "react";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { type StepPlace, stepOfRun } from "../../evaluation/suite/step-of-run.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { SaveCaseDialog } from "./save-case-dialog.tsx";

interface SaveStepDialogProps {
  workflowId: string;
  run: { events: readonly RunEvent[]; document: WorkflowDocument; registry: NodeRegistry };
  place: StepPlace;
  onOpenSuite(suiteId: string): void;
  onClose(): void;
}

/** Makes a case of one step of a run. */
export function SaveStepDialog({ workflowId, run, place, onOpenSuite, onClose }: SaveStepDialogProps) {
  const step = useMemo(() => stepOfRun(run.events, run, place), [place, run]);
  if (step) {
    const rest = { workflowId, onOpenSuite, onClose };
    return <SaveCaseDialog events={step.events} step={step.start} {...rest} />;
  }
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Save as test case"
      description="This step did not end in the run, or no case can begin at it: several branches meet there, or it belongs to another workflow. Choose the step around it, or save the whole run."
      footer={<Button onClick={onClose}>Close</Button>}
    />
  );
}
