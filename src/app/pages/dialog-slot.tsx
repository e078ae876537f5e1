import { useEffect } from "react";
import { useCanvasStore, useDocumentStore } from "../../stores/editor-context.tsx";
import { editorDialogStore, useEditorDialog } from "../../stores/editor-dialog-store.ts";
import { EditorDialogs } from "./editor-parts.ts";

const { close, postpone } = editorDialogStore.getState();

/** What opens over the whole editor, while there is something to show. */
export function DialogSlot() {
  const asked = useEditorDialog((state) => state.dialog !== null);
  const overCanvas = useCanvasStore((state) => state.shortcutsOpen || state.realModelOpen);
  const inConflict = useDocumentStore((state) => state.saveState.status === "conflict");
  useEffect(
    () => () => {
      close();
      postpone(null);
    },
    [],
  );
  return asked || overCanvas || inConflict ? <EditorDialogs /> : null;
}
