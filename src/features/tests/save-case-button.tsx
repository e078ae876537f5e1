import { useState } from "react";
import type { RunEvent } from "../../engine/run/events.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

const SaveCaseDialog = lazyPart(async () => (await import("./save-case-dialog.tsx")).SaveCaseDialog);

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
