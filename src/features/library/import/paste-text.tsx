import { useState } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";

/** A field for a pasted workflow, which is read when the person says so. */
export function PasteText({
  rows,
  disabled = false,
  onText,
}: {
  rows: number;
  disabled?: boolean;
  onText: (text: string) => void;
}) {
  const [pasted, setPasted] = useState("");
  return (
    <>
      <Textarea
        mono
        rows={rows}
        maxRows={6}
        aria-label="Workflow as text"
        placeholder="Or paste a workflow"
        value={pasted}
        spellCheck={false}
        onChange={(event) => setPasted(event.target.value)}
      />
      {pasted.trim() !== "" && (
        <div>
          <Button
            size="sm"
            disabled={disabled}
            onClick={() => {
              onText(pasted);
              setPasted("");
            }}
          >
            Read it
          </Button>
        </div>
      )}
    </>
  );
}
