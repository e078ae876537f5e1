import { useState } from "react";
import { useLocation } from "wouter";
import { type LibraryDialog, LibraryView } from "../../features/library/library-view.tsx";
import { blank } from "../../features/library/templates/blank.ts";
import { useLibrary } from "../../features/library/use-library.ts";
import { newId } from "../../browser/new-id.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { GuestNotice } from "../guest-notice.tsx";
import { PageFrame } from "./page-frame.tsx";

export function LibraryPage() {
  const [dialog, setDialog] = useState<LibraryDialog>(null);
  const [, navigate] = useLocation();
  const library = useLibrary();
  const create = useDialogMutation(library.creation);
  const createBlank = () => create.submit(blank(newId()), { onDone: ({ id }) => navigate(`/w/${id}`) });
  return (
    <PageFrame
      title="Workflows"
      wide
      actions={
        <>
          <Button icon="upload" onClick={() => setDialog({ kind: "import" })}>
            <span className="max-sm:sr-only">Import</span>
          </Button>
          <Button className="max-sm:hidden" busy={create.isPending} onClick={createBlank}>
            Blank workflow
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
