import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { addImported } from "../../../stores/commands/add-imported.ts";
import { useEditor, useServices } from "../../../stores/editor-context.tsx";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";
import { ImportDialog } from "./import-dialog.tsx";

/** Imports while a workflow is open: as a new one, or into the open one, whose present state is kept as a version first. */
export function ImportIntoEditor({
  text,
  onClose,
  onOpen,
}: {
  text?: string;
  onClose: () => void;
  onOpen: (workflowId: string) => void;
}) {
  const { context, document: store, canvas } = useEditor();
  const { workflows, versions } = useServices();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<"import" | "add" | null>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);

  async function create(document: WorkflowDocument) {
    setBusy("import");
    try {
      const stored = await workflows.create(document);
      void queries.invalidateQueries({ queryKey: ["workflows"] });
      if (isOpen.current) {
        onClose();
        onOpen(stored.id);
      } else
        showToast(`“${stored.name}” is imported as a workflow of its own`, {
          action: { label: "Open it", onClick: () => onOpen(stored.id) },
        });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  }

  async function add(imported: WorkflowDocument) {
    const { document, revision } = store.getState();
    setBusy("add");
    // Undo takes the import back as well, so it goes on when no version can be kept.
    if (Object.keys(document.nodes).length > 0) {
      await versions.keep(document, { reason: "import", revision }).catch((error: unknown) => showError(error));
      // Cancelled meanwhile.
      if (!isOpen.current) return;
    }
    const { nodes, vars } = addImported(context, imported);
    onClose();
    setTimeout(() => canvas.getState().controls?.fit(), 50);
    const words = nodes === 1 ? "1 node" : `${nodes} nodes`;
    showToast(`Added ${words} of “${imported.name}”`, {
      hint: vars.length === 0 ? undefined : `Variables kept as they are here: ${vars.join(", ")}.`,
      action: { label: "Undo", onClick: () => void store.getState().undo() },
    });
  }

  return (
    <ImportDialog
      {...(text === undefined ? {} : { text })}
      busy={busy}
      onClose={onClose}
      onImport={(document) => void create(document)}
      onAdd={(document) => void add(document)}
    />
  );
}
