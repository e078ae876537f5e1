import { useState } from "react";
import { flushSync } from "react-dom";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { IngestSource } from "../../services/knowledge.ts";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { costText } from "./embedding-cost.ts";
import { FormDialog } from "./form-dialog.tsx";

interface PasteDialogProps {
  embedding: KnowledgeEmbedding | null;
  onClose: () => void;
  onAdd: (sources: readonly IngestSource[]) => void;
}

/** The first line of a text, as a name for it. */
export function titleOf(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return line
    .replace(/^#+\s*/, "")
    .trim()
    .slice(0, 80);
}

/** Adds pasted or typed text; headings of Markdown are understood. */
export function PasteDialog({ embedding, onClose, onAdd }: PasteDialogProps) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const title = name.trim() || titleOf(text) || "Pasted text";
  return (
    <FormDialog
      size="lg"
      title="Paste text"
      description="Lines that begin with # become headings."
      submit="Add text"
      onClose={onClose}
      onSubmit={(form) => {
        flushSync(() => setTried(true));
        if (text.trim() === "") return focusFirstInvalid(form);
        onAdd([{ type: "paste", name: title, text }]);
        onClose();
      }}
    >
      <Field label="Name" help="The name answers cite. Empty: the first line.">
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={200}
            placeholder={title}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Text"
        required
        error={tried && text.trim() === "" ? "Enter some text." : undefined}
        help={text === "" ? undefined : costText(embedding, estimateTokens(text))}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={10}
            maxRows={20}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
