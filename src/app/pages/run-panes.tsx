import { type ReactNode, useState } from "react";
import { ApprovalList, InlineApproval } from "../../features/approval/approval-list.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { ToolAppContext } from "../../features/chat/tool-app.ts";
import { HistoryPanel } from "../../features/history/history-panel.tsx";
import { MemoryPanel } from "../../features/memory/memory-panel.tsx";
import { PauseList } from "../../features/pause/pause-list.tsx";
import { StillCanvas } from "../../features/canvas/still-canvas.tsx";
import { ReplayLink } from "../../features/replay/replay-link.tsx";
import { RunReplay } from "../../features/replay/run-replay.tsx";
import { ResultsDrawer } from "../../features/results/results-drawer.tsx";
import { RunViews } from "../../features/results/run-views.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import { createCanvasStore } from "../../state/editor/canvas-store.ts";
import { EditorProvider, useEditor } from "../../state/editor/editor-context.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { type CallStep, type NodeStep, StepActionsProvider } from "../../state/run/step-actions.tsx";
import { renderToolApp } from "./tool-app-slot.tsx";

const stepActions = (step: CallStep | NodeStep) => (step.kind === "node" ? null : <ReplayLink step={step} />);
const renderApproval = (callId: string) => <InlineApproval callId={callId} />;
const renderReplay = (runId: string) => <RunReplay key={runId} runId={runId} picture={<SmallCanvas />} />;

/** The canvas in the conversation, for a screen that shows one of both at a time. */
function SmallCanvas() {
  const editor = useEditor();
  // Its view is its own.
  const [own] = useState(() => ({ ...editor, canvas: createCanvasStore() }));
  return (
    <EditorProvider editor={own}>
      <div className="relative my-1 h-44 w-full overflow-clip rounded-md border">
        <StillCanvas />
      </div>
    </EditorProvider>
  );
}

/** The conversation with the workflow on the canvas. */
function Chat({ control }: { control: RunControl }) {
  return (
    <ToolAppContext value={renderToolApp}>
      <ChatPanel
        control={control}
        renderApproval={renderApproval}
        renderReplay={renderReplay}
        notice={<Waiting inChat />}
      />
    </ToolAppContext>
  );
}

/** Everything of a run that waits for a person. */
function Waiting({ inChat = false }: { inChat?: boolean }) {
  return (
    <>
      <PauseList />
      <ApprovalList nestedOnly={inChat} />
    </>
  );
}

/** The run panel of a desk, joined from its features. */
export function RunDrawer({
  dock,
  settings,
  control,
}: {
  dock: "bottom" | "right";
  settings?: ReactNode;
  control: RunControl;
}) {
  return (
    <StepActionsProvider render={stepActions}>
      <ResultsDrawer
        dock={dock}
        settings={settings}
        chat={<Chat control={control} />}
        history={<HistoryPanel />}
        memory={<MemoryPanel />}
        notices={<RunNotices execution={control} />}
        approvals={<Waiting />}
      />
    </StepActionsProvider>
  );
}

export type RunPaneName = "chat" | "run" | "history" | "memory";

function Pane({ name, control }: { name: RunPaneName; control: RunControl }) {
  switch (name) {
    case "chat":
      return <Chat control={control} />;
    case "run":
      return (
        <StepActionsProvider render={stepActions}>
          <RunViews />
        </StepActionsProvider>
      );
    case "history":
      return <HistoryPanel />;
    case "memory":
      return <MemoryPanel />;
  }
}

/** One pane of the run panel, for a phone. */
export function RunPane({ name, control }: { name: RunPaneName; control: RunControl }) {
  return (
    <div className="flex h-full flex-col">
      <RunNotices execution={control} />
      <div className="min-h-0 flex-1">
        <Pane name={name} control={control} />
      </div>
      {name === "run" && <Waiting />}
    </div>
  );
}
