import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";

interface TextEditorProps {
  label: string;
  text: string;
  busy: boolean;
  maxLength?: number;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** A text in place, with Save and Cancel; Escape cancels, mod+Enter saves. */
export function TextEditor({ label, text, busy, maxLength, onSave, onCancel }: TextEditorProps) {
  const [draft, setDraft] = useState(text);
  return (
    <div className="flex flex-col gap-2">
      <Textarea
        aria-label={label}
        autoFocus
        maxRows={12}
        maxLength={maxLength}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onCancel();
          }
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            // Otherwise the editor would run the workflow, too.
            event.preventDefault();
            if (!busy) onSave(draft);
          }
        }}
      />
      <div className="flex gap-2">
        <Button size="sm" variant="primary" busy={busy} onClick={() => onSave(draft)}>
          Save
        </Button>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
