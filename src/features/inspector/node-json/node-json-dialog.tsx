import { useState } from "react";
import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { replaceNodeRecord } from "../../../state/commands/replace-record.ts";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { readNodeJson } from "./read-node-json.ts";

/** The whole node as it is stored, to read, copy and edit. */
export default function NodeJsonDialog({ node, onClose }: { node: NodeRecord; onClose: () => void }) {
  const { context } = useEditor();
  const [before] = useState(node);
  const [text, setText] = useState(() => JSON.stringify(node, null, 2));
  const read = readNodeJson(text, before);

  function apply() {
    if (!read.ok) return;
    replaceNodeRecord(context, read.node);
    onClose();
  }

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={`${before.title} as JSON`}
      description="As it is stored and exported. Credentials appear only as ids, never as secrets."
      footer={
        <>
          <CopyButton text={() => text} label="Copy" />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!read.ok} onClick={apply}>
            Apply
          </Button>
        </>
      }
    >
      <Field label="Node" error={read.ok ? undefined : read.problem}>
        {(control) => (
          <Textarea
            {...control}
            mono
            rows={16}
            maxRows={24}
            value={text}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
