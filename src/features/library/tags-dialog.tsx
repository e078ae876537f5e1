import { type FormEvent, useId, useState } from "react";
import type { ListedWorkflow } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { readTags, tagLimits } from "./read-tags.ts";

/** The tags of one workflow, as words between commas, with those of others to choose from. */
export function TagsDialog({
  workflow,
  known,
  onClose,
  onSave,
}: {
  workflow: ListedWorkflow;
  /** Tags of other workflows. */
  known: readonly string[];
  onClose: () => void;
  onSave: (tags: string[]) => void;
}) {
  const form = useId();
  const [text, setText] = useState(workflow.tags.join(", "));
  const read = readTags(text);
  const unused = known.filter((tag) => !read.tags.includes(tag));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (read.problem !== undefined) return;
    onSave(read.tags);
    onClose();
  }

  return (
    <Dialog
      open
      size="sm"
      onOpenChange={onClose}
      title={`Tags of ${workflow.name}`}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={read.problem !== undefined}>
          Save tags
        </DialogActions>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Tags"
          help="Separate them with commas."
          {...(read.problem === undefined ? {} : { error: read.problem })}
        >
          {(control) => <Input {...control} autoFocus value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        {unused.length > 0 && (
          <div className="flex flex-wrap gap-1" role="group" aria-label="Tags of other workflows">
            {unused.slice(0, tagLimits.offered).map((tag) => (
              <Button key={tag} size="sm" icon="plus" onClick={() => setText([...read.tags, tag].join(", "))}>
                {tag}
              </Button>
            ))}
          </div>
        )}
      </form>
    </Dialog>
  );
}
