import { useState } from "react";
import { type LibraryDialog, LibraryView } from "../../features/library/library-view.tsx";
import { Button } from "../../ui/button.tsx";
import { PageFrame } from "./page-frame.tsx";

export function LibraryPage() {
  const [dialog, setDialog] = useState<LibraryDialog>(null);
  return (
    <PageFrame
      title="Workflows"
      actions={
        <>
          <Button icon="upload" onClick={() => setDialog({ kind: "import" })}>
            Import
          </Button>
          <Button variant="primary" icon="plus" onClick={() => setDialog({ kind: "new" })}>
            New workflow
          </Button>
        </>
      }
    >
      <LibraryView dialog={dialog} onDialog={setDialog} />
    </PageFrame>
  );
}
