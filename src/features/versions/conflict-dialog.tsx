import { useState } from "react";
import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { showError, showToast } from "../../ui/toast.tsx";

function counts(document: { nodes: object; edges: object }): string {
  const nodes = Object.keys(document.nodes).length;
  const edges = Object.keys(document.edges).length;
  return `${nodes} ${nodes === 1 ? "node" : "nodes"}, ${edges} ${edges === 1 ? "connection" : "connections"}`;
}

/** Asks what to do when someone else saved the workflow in between. Nothing is written before an answer. */
export function ConflictDialog({ onOpenCopy }: { onOpenCopy: (workflowId: string) => void }) {
  const { autosave } = useEditor();
  const state = useDocumentStore((store) => store.saveState);
  const mine = useDocumentStore((store) => store.document);
  const [later, setLater] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  if (state.status !== "conflict" || later === state.theirs) return null;
  const { theirs } = state;
  const when = new Date(theirs.updatedAt).toLocaleString();

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
      onOpenChange={() => setLater(theirs)}
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
          <Button variant="primary" busy={busy} onClick={() => void decide(autosave.keepMine)}>
            Keep mine
          </Button>
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <dt className="font-medium">Mine</dt>
        <dd className="text-muted">
          {mine.name}, {counts(mine)}
        </dd>
        <dt className="font-medium">Theirs</dt>
        <dd className="text-muted">
          {theirs.document.name}, {counts(theirs.document)}, saved {when}
        </dd>
      </dl>
      <p className="mt-4 text-muted">
        Keep both saves yours as a new workflow. After Take theirs, undo brings yours back.
      </p>
    </Dialog>
  );
}
