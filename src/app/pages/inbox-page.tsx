import { InboxView } from "../../features/approval/inbox-view.tsx";
import { inboxPollMs } from "../use-open-questions.ts";
import { PageFrame } from "./page-frame.tsx";

export function InboxPage() {
  return (
    <PageFrame
      title="Inbox"
      lead="Tool calls and steps of published workflows that are waiting for your approval."
      narrow
    >
      <InboxView pollMs={inboxPollMs} />
    </PageFrame>
  );
}
