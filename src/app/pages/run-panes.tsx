import type { ReactNode } from "react";
import { ApprovalList, InlineApproval } from "../../features/approval/approval-list.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { HistoryPanel } from "../../features/history/history-panel.tsx";
import { MemoryPanel } from "../../features/memory/memory-panel.tsx";
import { PauseList } from "../../features/pause/pause-list.tsx";
import type { RunState } from "../../engine/run/run-state.ts";
import { ReplayLink } from "../../features/replay/replay-link.tsx";
import { TurnReplay } from "../../features/replay/turn-replay.tsx";
import { ResultsDrawer } from "../../features/results/results-drawer.tsx";
import { RunViews } from "../../features/results/run-views.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import type { RunControl } from "../../state/run/run-control.ts";
import { type CallStep, type NodeStep, StepActionsProvider } from "../../state/run/step-actions.tsx";

const stepActions = (step: CallStep | NodeStep) => (step.kind === "node" ? null : <ReplayLink step={step} />);
const renderApproval = (callId: string) => <InlineApproval callId={callId} />;
const renderReplay = (run: RunState) => <TurnReplay key={run.runId} run={run} />;

/** The conversation with the workflow on the canvas. */
function Chat({ control }: { control: RunControl }) {
  return (
    <ChatPanel
      control={control}
      renderApproval={renderApproval}
      renderReplay={renderReplay}
      notice={<Waiting inChat />}
    />
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
