import { useQueryClient } from "@tanstack/react-query";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { addImported } from "../../../state/commands/add-imported.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { ImportDialog } from "./import-dialog.tsx";

/** Imports while a workflow is open: as a new one, or into the open one, whose present state is kept as a version first. */
export function ImportIntoEditor({
  text,
  fileName,
  onClose,
  onOpen,
}: {
  text?: string;
  fileName?: string | undefined;
  onClose: () => void;
  onOpen: (workflowId: string) => void;
}) {
  const { context, document: store, canvas } = useEditor();
  const { workflows, versions } = useServices();
  const queries = useQueryClient();
  const create = useDialogMutation({
    save: (document: WorkflowDocument) => workflows.create(document),
    refresh: () => void queries.invalidateQueries({ queryKey: ["workflows"] }),
  });
  const keep = useDialogMutation({
    // Undo takes the import back as well, so it goes on when no version can be kept.
    save: async () => {
      const { document, revision } = store.getState();
      if (Object.keys(document.nodes).length > 0)
        await versions.keep(document, { reason: "import", revision }).catch((error: unknown) => showError(error));
    },
  });

  function add(imported: WorkflowDocument) {
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
      fileName={fileName}
      busy={create.isPending ? "import" : keep.isPending ? "add" : null}
      onClose={onClose}
      onImport={(document) =>
        create.submit(document, {
          onDone({ id }) {
            onClose();
            onOpen(id);
          },
          onLeft: ({ id, name }) =>
            showToast(`“${name}” is imported as a workflow of its own`, {
              action: { label: "Open it", onClick: () => onOpen(id) },
            }),
        })
      }
      onAdd={(document) => keep.submit(undefined, { onDone: () => add(document) })}
    />
  );
}
