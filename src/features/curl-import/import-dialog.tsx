import { useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { parseCurl } from "../../nodes/http/parse-curl.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";
import { applyRequest } from "./apply-request.ts";

/** Takes a pasted command apart and, on request, over into the node. */
export default function ImportDialog({ node, onClose }: { node: NodeRecord; onClose: () => void }) {
  const { context, document } = useEditor();
  const [text, setText] = useState("");
  const parsed = parseCurl(text);
  const isBlank = text.trim() === "";

  function take() {
    if (!parsed.ok) return;
    applyRequest(context, node.id, parsed.request);
    onClose();
    showToast("The request was filled in from the cURL command.", {
      action: { label: "Undo", onClick: () => void document.getState().undo() },
    });
  }

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={(open) => !open && onClose()}
      title="Import from cURL"
      description="Paste a command from an API's documentation or a browser's network panel. Nothing is sent."
      footer={
        <DialogActions onCancel={onClose} disabled={!parsed.ok} onClick={take}>
          Take over
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Command" error={isBlank || parsed.ok ? undefined : parsed.problem}>
          {(control) => (
            <Textarea
              {...control}
              mono
              autoFocus
              rows={6}
              value={text}
              spellCheck={false}
              placeholder={"curl -X POST https://api.example.com/orders \\\n  --json '{\"id\": 7}'"}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {parsed.ok && (
          <p className="font-mono text-xs wrap-anywhere text-muted">
            {parsed.request.method} {parsed.request.url}
          </p>
        )}
        {parsed.ok && parsed.notes.length > 0 && (
          <Notice tone="warning" title="Some parts were left out">
            <ul>
              {parsed.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
