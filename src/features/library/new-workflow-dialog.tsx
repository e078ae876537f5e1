import { Dialog } from "../../ui/dialog.tsx";
import { TemplateCards } from "./template-cards.tsx";
import type { WorkflowTemplate } from "./templates/index.ts";

/** Chooses what a new workflow starts from. */
export function NewWorkflowDialog({
  open,
  onOpenChange,
  busy,
  onChoose,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: string | null;
  onChoose: (template: WorkflowTemplate) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New workflow"
      description="Choose what to start from."
      size="lg"
    >
      <TemplateCards busy={busy} onChoose={onChoose} />
    </Dialog>
  );
}
