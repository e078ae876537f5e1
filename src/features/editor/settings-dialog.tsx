import { useState } from "react";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Dialog, Unsaved } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { VariableRows } from "./variable-rows.tsx";
import { nameProblem, readVariable, type VariableRow, writeVariable } from "./variable-text.ts";

/** Name, description and variables of the workflow; saved together, as one undo step. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { document: store } = useEditor();
  const [start] = useState(() => store.getState().document);
  const [name, setName] = useState(start.name);
  const [description, setDescription] = useState(start.description ?? "");
  const [rows, setRows] = useState<VariableRow[]>(() =>
    Object.entries(start.vars ?? {}).map(([each, value], key) => ({ key, name: each, text: writeVariable(value) })),
  );
  const [next, setNext] = useState(rows.length);
  const [shown, setShown] = useState(false);
  const trimmed = name.trim();

  function save() {
    setShown(true);
    if (trimmed === "" || rows.some((row) => nameProblem(row.name, rows) !== undefined)) return;
    const vars = Object.fromEntries(rows.map((row) => [row.name, readVariable(row.text)]));
    store.getState().edit("Edit workflow settings", (document) => {
      document.name = trimmed;
      if (description.trim() === "") delete document.description;
      else document.description = description.trim();
      if (rows.length === 0) delete document.vars;
      else document.vars = vars;
    });
    onClose();
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Workflow settings"
      footer={
        <DialogActions onCancel={onClose} onClick={save}>
          Save
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Name" required error={shown && trimmed === "" ? "Enter a name." : undefined}>
          {(control) => (
            <Input {...control} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field label="Description" help="What it is for. Included in exports.">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={description}
              maxLength={4_000}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <Unsaved when={rows.length !== Object.keys(start.vars ?? {}).length} />
        <VariableRows
          rows={rows}
          shown={shown}
          onChange={setRows}
          onAdd={() => {
            setRows([...rows, { key: next, name: "", text: "" }]);
            setNext(next + 1);
          }}
        />
      </div>
    </Dialog>
  );
}
