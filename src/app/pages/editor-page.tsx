import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { createStore } from "zustand/vanilla";
import { useCollectionProblems } from "../../features/editor/collection-problems.ts";
import { useSessionProblems } from "../../features/editor/session-problems.ts";
import { ImportBar } from "../../features/editor/import-bar.tsx";
import { ReviewBar } from "../../features/editor/review-bar.tsx";
import { TopBar } from "../../features/editor/top-bar.tsx";
import { useAutosave } from "../../features/editor/use-autosave.ts";
import { useEditorKeys } from "../../features/editor/use-editor-keys.ts";
import { runCommands } from "../../features/run/run-commands.ts";
import { RunControls } from "../../features/run/run-controls.tsx";
import { useExecution } from "../../features/run/use-execution.ts";
import { PublishButton } from "../../features/versions/publish/publish-button.tsx";
import { PublishState } from "../../features/versions/publish/publish-state.tsx";
import { nodeRegistry } from "../../nodes/index.ts";
import type { Command } from "../../state/commands/command.ts";
import { EditorProvider, useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { assistantStore, isShown, useAssistant } from "../../state/assistant/assistant-store.ts";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { whenIdle } from "../../state/shared/storage/when-idle.ts";
import { isDark, toggleTheme } from "../../ui/theme/theme.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import { usePageTitle } from "../page-title.ts";
import { useFreshAfterRuns } from "../use-fresh-after-runs.ts";
import { useIdle } from "../use-idle.ts";
import { useAcceptedPrices } from "../use-accepted-prices.ts";
import { useInterruptedRuns } from "../use-interrupted-runs.ts";
import { DialogSlot } from "./dialog-slot.tsx";
import { EditorLayout } from "./editor-layout.tsx";
import { NotOpened } from "./not-opened.tsx";
import { useNodeOfAddress } from "./use-node-of-address.ts";
import { preloadWorkbench } from "./workbench-parts.ts";
import { workflowCommands } from "./workflow-commands.ts";
import { editorPath, openEditor, type OpenedEditor } from "./open-editor.ts";
import { workflowQuery } from "./workflow-query.ts";

const idle: RunControl = {
  running: false,
  blocked: [],
  progress: createStore(() => ({ running: false, answered: false, blocked: [] })),
  prepare: () => {},
  start: () => null,
  stop: () => {},
  dismiss: () => {},
};

const themeCommand: Command = {
  id: "toggle-theme",
  label: "Switch between light and dark",
  labelNow: () => (isDark() ? "Switch to light" : "Switch to dark"),
  group: "View",
  icon: "moon",
  when: () => true,
  run: toggleTheme,
};

/** Watches the open workflow: saving, checking, and putting back what an earlier visit could not save. */
function useOpenWorkflow({ editor, outcome, restore }: OpenedEditor) {
  const restored = useRef(false);
  useAutosave();
  useInterruptedRuns();
  useAcceptedPrices();
  useFreshAfterRuns();
  useCollectionProblems();
  useSessionProblems();
  useEffect(() => editor.problems.start(), [editor]);
  useEffect(() => whenIdle(() => void preloadWorkbench()), []);
  useEffect(() => {
    if (restored.current) return;
    restored.current = true;
    restore();
    if (outcome === "restored") {
      showToast("Unsaved changes of your last visit are back.", {
        action: { label: "Undo", onClick: () => void editor.document.getState().undo() },
      });
    }
  }, [editor, outcome, restore]);
}

/** Holds the run control of the mounted editor for commands, which are made before it. */
function createControlHolder() {
  let control = idle;
  return { get: () => control, set: (next: RunControl) => void (control = next) };
}

type ControlHolder = ReturnType<typeof createControlHolder>;

function OpenWorkflow({ opened, holder }: { opened: OpenedEditor; holder: ControlHolder }) {
  const [, navigate] = useLocation();
  const { workflowId, document: store, autosave } = useEditor();
  const queries = useQueryClient();
  const name = useDocumentStore((state) => state.document.name);
  const execution = useExecution(editorPath(workflowId));
  const isIdle = useIdle();
  useOpenWorkflow(opened);
  useEditorKeys();
  usePageTitle(name);
  useNodeOfAddress();
  useEffect(() => holder.set(execution), [execution, holder]);
  useEffect(() => whenIdle(execution.prepare), [execution]);
  useEffect(
    () => () => {
      queries.removeQueries({ queryKey: ["workflow", workflowId] });
      const listAgain = () => void queries.invalidateQueries({ queryKey: ["workflows"] });
      listAgain();
      // The last edit is being saved: a list that is read now may not have it.
      if (store.getState().saveState.status !== "saved") void autosave.flush().then(listAgain);
    },
    [queries, workflowId, store, autosave],
  );
  return (
    <main className="flex h-full flex-col">
      <TopBar
        onBack={() => navigate("/")}
        actions={
          <>
            <AssistantButton />
            <PublishButton state={isIdle && <PublishState />} />
            <RunControls execution={execution} />
          </>
        }
      />
      <ReviewBar />
      <ImportBar />
      <EditorLayout control={execution} />
      <DialogSlot />
    </main>
  );
}

function AssistantButton() {
  const open = useAssistant(isShown);
  return (
    <IconButton
      size="sm"
      icon="sparkles"
      label={open ? "Close the assistant" : "Assistant"}
      shortcut="mod+i"
      aria-expanded={open}
      onClick={assistantStore.getState().toggle}
    />
  );
}

/** One workflow: loaded fresh on every visit, then edited in this browser and saved as it changes. */
export function EditorPage({ workflowId }: { workflowId: string }) {
  const services = useServices();
  const { data, error, refetch } = useQuery(workflowQuery(services, workflowId));
  const [holder] = useState(createControlHolder);
  const [opened, setOpened] = useState<OpenedEditor | null>(null);
  if (data !== undefined && opened === null) {
    setOpened(
      openEditor(data, nodeRegistry, services, (stores) => [
        ...runCommands(holder.get, stores),
        themeCommand,
        ...workflowCommands(services),
      ]),
    );
  }

  if (opened !== null) {
    return (
      <EditorProvider editor={opened.editor}>
        <OpenWorkflow opened={opened} holder={holder} />
      </EditorProvider>
    );
  }
  if (error !== null) {
    return (
      <NotOpened
        what="workflow"
        whyGone="It was deleted, or it belongs to another account."
        all={{ label: "All workflows", href: "/" }}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="flex h-full items-center justify-center">
      <Spinner label="Opening the workflow" />
    </div>
  );
}
