import { useEffect } from "react";
import { useCanvasStore, useDocumentStore } from "../../state/editor/editor-context.tsx";
import { editorDialogStore, useEditorDialog } from "../../state/editor/editor-dialog-store.ts";
import { whenIdle } from "../../state/shared/storage/when-idle.ts";
import { DialogOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

const EditorDialogs = lazyPart(async () => (await import("./editor-dialogs.tsx")).EditorDialogs, DialogOnItsWay);

const { close, postpone } = editorDialogStore.getState();

/** What opens over the whole editor, while there is something to show. */
export function DialogSlot() {
  const asked = useEditorDialog((state) => state.dialog !== null);
  const overCanvas = useCanvasStore((state) => state.shortcutsOpen || state.realModelOpen);
  const inConflict = useDocumentStore((state) => state.saveState.status === "conflict");
  useEffect(() => {
    whenIdle(() => void EditorDialogs.preload());
    return () => {
      close();
      postpone(null);
    };
  }, []);
  return asked || overCanvas || inConflict ? <EditorDialogs /> : null;
}
