import { ApprovalList } from "../../features/approval/approval-list.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { StepsPanel } from "../../features/results/steps-panel.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import type { RunControl } from "../../stores/run-control.ts";

/** The chat as the only pane of a phone. */
export function ChatPane({ control }: { control: RunControl }) {
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <RunNotices execution={control} />
      <div className="min-h-0 flex-1">
        <ChatPanel control={control} notice={<ApprovalList />} />
      </div>
    </div>
  );
}

/** The steps as the only pane of a phone. */
export function StepsPane({ control }: { control: RunControl }) {
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <RunNotices execution={control} />
      <div className="min-h-0 flex-1">
        <StepsPanel />
      </div>
      <ApprovalList />
    </div>
  );
}
