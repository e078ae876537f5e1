import { ApprovalList } from "../../features/approval/approval-list.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { HistoryPanel } from "../../features/history/history-panel.tsx";
import { useInterruptedRuns } from "../../features/history/use-interrupted-runs.ts";
import { ResultsDrawer } from "../../features/results/results-drawer.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import type { RunControl } from "../../stores/run-control.ts";

/** The drawer of the editor page with all its tabs. */
export function RunDrawer({ control, dock }: { control: RunControl; dock: "bottom" | "right" }) {
  useInterruptedRuns();
  return (
    <ResultsDrawer
      dock={dock}
      notices={<RunNotices execution={control} />}
      approvals={<ApprovalList />}
      chat={<ChatPanel control={control} notice={<ApprovalList />} />}
      history={<HistoryPanel />}
    />
  );
}
