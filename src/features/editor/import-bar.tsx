import { openCount } from "../../engine/document/import-report.ts";
import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { formatName } from "../../state/document/import-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";

/** Says that an import left things to do, and leads to the list; nothing once all is done. What waits for a review is told first. */
export function ImportBar() {
  const format = useDocumentStore(({ document }) => document.importReport?.format);
  const open = useDocumentStore(({ document }) => openCount(document));
  const waits = useDocumentStore(({ document }) => Object.values(document.nodes).some(({ unreviewed }) => unreviewed));
  if (format === undefined || open === 0 || waits) return null;
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 border-b bg-surface px-3 py-1.5">
      <span className="text-muted">
        <Icon name="list" />
      </span>
      <span className="min-w-0 flex-1">
        Imported from {formatName(format)}: {open === 1 ? "1 thing" : `${open} things`} to do
      </span>
      <Button size="sm" onClick={() => editorDialogStore.getState().show({ kind: "import-report" })}>
        Show
      </Button>
    </div>
  );
}
