import { useState } from "react";
import { useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { editorDialogStore, useEditorDialog } from "../../state/editor/editor-dialog-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { DiffView } from "./diff-view.tsx";

/** Asks what to do when someone else saved the workflow in between. Nothing is written before an answer. */
export function ConflictDialog({ onOpenCopy }: { onOpenCopy: (workflowId: string) => void }) {
  const { autosave, registry } = useEditor();
  const state = useDocumentStore((store) => store.saveState);
  const mine = useDocumentStore((store) => store.document);
  const postponed = useEditorDialog((dialogs) => dialogs.postponed);
  const { versions } = useServices();
  const [busy, setBusy] = useState(false);
  if (state.status !== "conflict" || postponed === state.theirs) return null;
  const { theirs } = state;
  const when = formatMoment(Date.parse(theirs.updatedAt));

  async function decide(action: () => Promise<void> | void) {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }
  /** What is about to be overwritten stays findable. */
  async function keepMine() {
    await versions.keep(theirs.document, { reason: "conflict", revision: theirs.revision });
    await autosave.keepMine();
  }
  async function saveCopy() {
    const id = await autosave.saveAsCopy();
    showToast("Your version is a workflow of its own now.", {
      action: { label: "Open it", onClick: () => onOpenCopy(id) },
    });
  }

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={() => editorDialogStore.getState().postpone(theirs)}
      title="This workflow was changed elsewhere"
      description="Another tab or device saved it while you were editing. Nothing has been overwritten."
      footer={
        <>
          <Button disabled={busy} onClick={() => void decide(saveCopy)}>
            Keep both
          </Button>
          <Button disabled={busy} onClick={() => void decide(autosave.takeTheirs)}>
            Take theirs
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void decide(keepMine)}>
            Keep mine
          </Button>
        </>
      }
    >
      {/* On a small screen this is what scrolls, so the keyboard has to get into it. */}
      <div className="flex flex-col gap-3 rounded-md" role="region" aria-label="Differences" tabIndex={0}>
        <p>
          Theirs was saved on <span className="numeric">{when}</span>. Marked + is only in yours, marked − only in
          theirs.
        </p>
        <DiffView before={theirs.document} after={mine} registry={registry} />
        <p className="text-muted">
          Keep both saves yours as a new workflow. After Take theirs, undo brings yours back. After Keep mine, theirs is
          in the version history.
        </p>
      </div>
    </Dialog>
  );
}
