import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";

/** Says that imported nodes wait for a person, and leads to them. */
export function ReviewBar() {
  const count = useDocumentStore(
    ({ document }) => Object.values(document.nodes).filter(({ unreviewed }) => unreviewed === true).length,
  );
  if (count === 0) return null;
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 border-b bg-warning-soft px-3 py-1.5">
      <span className="text-warning">
        <Icon name="eye" />
      </span>
      <span className="min-w-0 flex-1">
        {count === 1 ? "1 imported node waits" : `${count} imported nodes wait`} for your review.
        <span className="max-sm:hidden"> No run takes {count === 1 ? "it" : "them"} before.</span>
      </span>
      <Button size="sm" onClick={() => editorDialogStore.getState().show({ kind: "review" })}>
        Review
      </Button>
    </div>
  );
}
