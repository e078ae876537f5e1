import { useLocation } from "wouter";
import { useCanvasStore, useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { editorDialogStore, useEditorDialog } from "../../stores/editor-dialog-store.ts";
import {
  ConflictDialog,
  dialogLoads,
  ImportIntoEditor,
  OpenapiDialog,
  ImportReportDialog,
  PrivacyDialog,
  PublishDialog,
  publishDoors,
  PublishTests,
  PublishTrust,
  RealModelDialog,
  ReviewDialog,
  ServerStartDialog,
  SettingsDialog,
  ShareDialog,
  ShortcutSheet,
  VersionsDialog,
} from "./dialog-parts.ts";
import { loadWhenIdle } from "./load-when-idle.ts";

const { close, show } = editorDialogStore.getState();

/** Loads the dialogs ahead. */
export const preloadDialogs = () => loadWhenIdle(dialogLoads);

function Dialog() {
  const dialog = useEditorDialog((state) => state.dialog);
  const [, navigate] = useLocation();
  const openWorkflow = (id: string) => navigate(`/w/${id}`);
  const inConflict = useDocumentStore((state) => state.saveState.status === "conflict");
  if (inConflict) return <ConflictDialog onOpenCopy={openWorkflow} />;
  if (dialog === null) return null;
  switch (dialog.kind) {
    case "versions":
      return <VersionsDialog onClose={close} />;
    case "publish":
      return (
        <PublishDialog
          doors={publishDoors}
          Tests={PublishTests}
          Trust={PublishTrust}
          tab={dialog.tab}
          onClose={close}
        />
      );
    case "server-start":
      return (
        <ServerStartDialog
          onClose={close}
          onPublish={() => show({ kind: "publish" })}
          onStarted={(runId) => navigate(`/runs/${runId}`)}
        />
      );
    case "settings":
      return <SettingsDialog onClose={close} />;
    case "privacy":
      return <PrivacyDialog onClose={close} />;
    case "review":
      return <ReviewDialog onClose={close} />;
    case "share":
      return <ShareDialog onClose={close} />;
    case "import-report":
      return <ImportReportDialog onClose={close} />;
    case "openapi":
      return <OpenapiDialog onClose={close} />;
    case "import":
      return <ImportIntoEditor text={dialog.text} onClose={close} onOpen={openWorkflow} />;
  }
}

/** What opens over the whole editor: history, settings, import, review, and the question after a conflict. */
export function EditorDialogs() {
  const { canvas } = useEditor();
  const shortcutsOpen = useCanvasStore((state) => state.shortcutsOpen);
  const realModelOpen = useCanvasStore((state) => state.realModelOpen);
  return (
    <>
      {shortcutsOpen && <ShortcutSheet onClose={() => canvas.setState({ shortcutsOpen: false })} />}
      {realModelOpen && <RealModelDialog onClose={() => canvas.setState({ realModelOpen: false })} />}
      <Dialog />
    </>
  );
}
