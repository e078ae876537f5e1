import { useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

const TryDialog = lazyPart(async () => (await import("./try-dialog.tsx")).default);

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
