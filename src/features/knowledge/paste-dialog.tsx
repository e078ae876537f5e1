import { useState } from "react";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import type { IngestSource } from "../../stores/knowledge-services.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { focusFirstInvalid } from "../../ui/focus-first-invalid.ts";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { costWords } from "./embedding-cost.ts";

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
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Paste text"
      description="Lines that begin with # become headings."
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          setTried(true);
          if (text.trim() === "") return focusFirstInvalid(event.currentTarget);
          onAdd([{ type: "paste", name: title, text }]);
          onClose();
        }}
      >
        <Field label="Name" help="Under which answers name it. Empty takes the first line.">
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
          error={tried && text.trim() === "" ? "Paste or type some text." : undefined}
          help={text === "" ? undefined : costWords(embedding, estimateTokens(text))}
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Add text
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
