import { useId, useState } from "react";
import { useWorkflowChoices } from "../../state/shared/choices.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { useSuiteChanges } from "./use-suites.ts";

/** Asks for a name and the workflow that is tried. */
export function NewSuiteDialog({ onClose, onMade }: { onClose: () => void; onMade: (suiteId: string) => void }) {
  const { create } = useSuiteChanges();
  const form = useId();
  const [name, setName] = useState("");
  const [workflowId, setWorkflowId] = useState("");
  const { rows, searched, isPending } = useWorkflowChoices(workflowId);
  const ready = name.trim() !== "" && workflowId !== "";
  const submit = () => {
    if (!ready) return;
    const suite = { name: name.trim(), workflowId, settings: { trials: 3, defaultAssert: [] } };
    create.submit(suite, { onDone: ({ id }) => onMade(id) });
  };
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="New suite"
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={!ready} busy={create.isPending}>
          Create
        </DialogActions>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name" required>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={200}
              autoComplete="off"
              placeholder="What it makes sure of"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Workflow" required>
          {(control) => (
            <SearchedSelect
              {...control}
              {...searched}
              what="workflows"
              first={rows[0]?.id}
              value={workflowId}
              onValueChange={setWorkflowId}
              placeholder={
                isPending ? "Loading…" : rows.length === 0 ? "There is no workflow yet" : "Choose a workflow"
              }
              options={rows.map((workflow) => ({ value: workflow.id, label: workflow.name }))}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
