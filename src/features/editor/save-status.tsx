import { useState } from "react";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { describeSaveState } from "../../state/document/save-state.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";
import { Button } from "../../ui/buttons/button.tsx";

const icons: Partial<Record<string, IconName>> = {
  offline: "cloud-off",
  conflict: "git-fork",
  error: "triangle-alert",
};

/** How far the work is kept, in words; with a way out when it is not. */
export function SaveStatus() {
  const { autosave } = useEditor();
  const [open, setOpen] = useState(false);
  const state = useDocumentStore((store) => store.saveState);
  const draftProblem = useDocumentStore((store) => store.draftProblem);
  const words = describeSaveState(state);
  const trouble = state.status === "error" || state.status === "conflict" || state.status === "offline";
  const text = (
    <span className={classNames("inline-flex items-center gap-1.5", trouble && "text-warning")}>
      {icons[state.status] !== undefined && <Icon name={icons[state.status] ?? "info"} size={14} />}
      <span className="max-sm:sr-only">{words}</span>
    </span>
  );
  if (!trouble && draftProblem === null) {
    return (
      <span role="status" className="text-xs whitespace-nowrap text-muted">
        {text}
      </span>
    );
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Saving"
      className="w-72"
      trigger={
        <button type="button" className="rounded-md px-1.5 py-0.5 text-xs whitespace-nowrap hover:bg-hover">
          {text}
        </button>
      }
    >
      <p className="font-medium">{state.status === "error" ? state.message : words}</p>
      <p className="mt-1 text-muted">
        {state.status === "error"
          ? state.hint
          : state.status === "offline"
            ? "Keep working. Everything is sent as soon as the connection is back."
            : "Your changes wait in this browser until you decide."}
      </p>
      {draftProblem !== null && <p className="mt-2 text-warning">{draftProblem}</p>}
      {state.status === "conflict" ? (
        <Button
          size="sm"
          icon="git-fork"
          className="mt-3"
          onClick={() => {
            setOpen(false);
            editorDialogStore.getState().postpone(null);
          }}
        >
          Compare and decide
        </Button>
      ) : (
        <Button size="sm" icon="refresh-cw" className="mt-3" onClick={() => void autosave.flush()}>
          Save now
        </Button>
      )}
    </Popover>
  );
}
