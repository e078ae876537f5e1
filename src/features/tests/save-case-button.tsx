import { useState } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { SaveCaseDialog } from "./save-case-dialog.tsx";

interface SaveCaseButtonProps {
  workflowId: string;
  /** Of a finished run. */
  events: readonly RunEvent[];
  onOpenSuite(suiteId: string): void;
}

/** “Save as test case”, and its dialog. */
export function SaveCaseButton(props: SaveCaseButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="flask-conical" onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">Save as test case</span>
      </Button>
      {open && <SaveCaseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
