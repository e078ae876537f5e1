import { useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { Button } from "../../ui/buttons/button.tsx";
import ImportDialog from "./import-dialog.tsx";

/** The button that fills a request's settings from a cURL command. */
export function CurlImport({ node }: { node: NodeRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" icon="clipboard-paste" onClick={() => setOpen(true)}>
        Import from cURL
      </Button>
      {open && <ImportDialog node={node} onClose={() => setOpen(false)} />}
    </>
  );
}
