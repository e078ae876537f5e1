import { useState } from "react";
import { type LibraryDialog, LibraryView } from "../../features/library/library-view.tsx";
import { useLibrary } from "../../features/library/use-library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { GuestNotice } from "../guest-notice.tsx";
import { PageFrame } from "./page-frame.tsx";

export function LibraryPage() {
  const [dialog, setDialog] = useState<LibraryDialog>(null);
  const library = useLibrary();
  return (
    <PageFrame
      title="Workflows"
      wide
      actions={
        <>
          <Button icon="upload" onClick={() => setDialog({ kind: "import" })}>
            <span className="max-sm:sr-only">Import</span>
          </Button>
          <Button variant="primary" icon="plus" onClick={() => setDialog({ kind: "new" })}>
            New workflow
          </Button>
        </>
      }
    >
      <LibraryView library={library} dialog={dialog} onDialog={setDialog} />
      <GuestNotice hasWork={(library.list.first?.total ?? 0) > 0} />
    </PageFrame>
  );
}
