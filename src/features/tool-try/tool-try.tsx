import { useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { Button } from "../../ui/buttons/button.tsx";
import TryDialog from "./try-dialog.tsx";

/** The button that opens a tool node's tools for a try. */
export function ToolTry({ node }: { node: NodeRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" icon="flask-conical" onClick={() => setOpen(true)}>
        Try it
      </Button>
      {open && <TryDialog node={node} onClose={() => setOpen(false)} />}
    </>
  );
}
