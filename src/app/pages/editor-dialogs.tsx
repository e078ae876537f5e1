import { useLocation } from "wouter";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { editorDialogStore, useEditorDialog } from "../../state/editor/editor-dialog-store.ts";
import { TracesPanel } from "../../features/activity/traces-panel.tsx";
import RealModelDialog from "../../features/credentials/real-model-dialog.tsx";
import { PublishTrust } from "../../features/doors/publish-trust.tsx";
import { WhereItRuns } from "../../features/doors/where-it-runs.tsx";
import { ImportReportDialog } from "../../features/editor/import-report-dialog.tsx";
import { ReviewDialog } from "../../features/editor/review-dialog.tsx";
import { SettingsDialog } from "../../features/editor/settings-dialog.tsx";
import { ShareDialog } from "../../features/library/share/share-dialog.tsx";
import ShortcutSheet from "../../features/palette/shortcut-sheet.tsx";
import { PrivacyDialog } from "../../features/privacy/privacy-dialog.tsx";
import { ServerStartDialog } from "../../features/server-runs/server-start-dialog.tsx";
import { SaveCaseDialog } from "../../features/tests/save-case-dialog.tsx";
import { PublishTests } from "../../features/tests/publish-tests.tsx";
import { ConflictDialog } from "../../features/versions/conflict-dialog.tsx";
import { PublishDialog } from "../../features/versions/publish/publish-dialog.tsx";
import { VersionsDialog } from "../../features/versions/versions-dialog.tsx";
import { DialogOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { ShareStoredRun } from "./share-stored-run.tsx";

const OpenapiDialog = lazyPart(
  async () => (await import("../../features/openapi/openapi-dialog.tsx")).OpenapiDialog,
  DialogOnItsWay,
);
const ImportIntoEditor = lazyPart(
  async () => (await import("../../features/library/import/import-into-editor.tsx")).ImportIntoEditor,
  DialogOnItsWay,
);

const { close, show } = editorDialogStore.getState();

function Dialog() {
  const dialog = useEditorDialog((state) => state.dialog);
  const [, navigate] = useLocation();
  const { runs, workflowId } = useEditor();
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
          Where={WhereItRuns}
          Traces={TracesPanel}
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
    case "share-run":
      return <ShareStoredRun runId={dialog.runId} onClose={close} />;
    case "save-case":
      return (
        <SaveCaseDialog
          workflowId={workflowId}
          events={runs.events(dialog.runId)}
          onClose={close}
          onOpenSuite={(id) => navigate(`/tests/${id}`)}
        />
      );
    case "import-report":
      return <ImportReportDialog onClose={close} />;
    case "openapi":
      return <OpenapiDialog onClose={close} />;
    case "import":
      return <ImportIntoEditor text={dialog.text} fileName={dialog.fileName} onClose={close} onOpen={openWorkflow} />;
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
