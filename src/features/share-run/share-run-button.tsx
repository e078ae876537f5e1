import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { ShareRunDialog, type ShareRunProps } from "./share-run-dialog.tsx";

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
