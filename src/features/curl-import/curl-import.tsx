import { lazy, Suspense, useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { Button } from "../../ui/button.tsx";

const ImportDialog = lazy(() => import("./import-dialog.tsx"));

/** The button that fills a request's settings from a cURL command. */
export function CurlImport({ node }: { node: NodeRecord }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" icon="clipboard-paste" onClick={() => setOpen(true)}>
        Import from cURL
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ImportDialog node={node} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
