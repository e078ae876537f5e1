import { type ReactNode, useState } from "react";
import type { SharedParts, SharedRun } from "../../engine/run/share/shared-run.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ShareRunDialog } from "./share-run-dialog.tsx";

export interface ShareRunProps {
  /** Of a stored run that has ended. */
  runId: string;
  /** The run as strangers see it. */
  copyFor(parts: SharedParts): SharedRun;
  /** Shows a copy as its page does. */
  renderPreview(shared: SharedRun): ReactNode;
}

/** “Share”, and its dialog. */
export function ShareRunButton(props: ShareRunProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        <span className="max-sm:sr-only">Share</span>
      </Button>
      {open && <ShareRunDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
