import { useMemo } from "react";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { VirtualLog } from "../../ui/data/virtual-log/virtual-log.tsx";
import { Turn } from "./chat-turn.tsx";
import { isMessage } from "../../engine/model/attachments.ts";

const noApproval = () => null;

/** The question and the answer of the run on show, as far as it has come. */
export function RunChat() {
  const run = useRunStore(currentRun);
  const runId = run?.runId ?? "";
  const rows = useMemo(() => {
    const render = () => <ShownTurn />;
    return [{ key: runId, said: true, estimate: () => 160, render }];
  }, [runId]);
  if (run === undefined || !isMessage(run.input)) {
    return (
      <EmptyState icon="message-square" title="No conversation">
        This run does not answer a message. Its steps tell what it did.
      </EmptyState>
    );
  }
  return (
    <section aria-label="Chat" className="flex h-full min-h-0 flex-col bg-surface">
      <VirtualLog label="Conversation" busy={run.status === "running"} rows={rows} newest={runId} />
    </section>
  );
}

/** As far as it has come at the moment on display. */
function ShownTurn() {
  const run = useRunStore(currentRun);
  return run && <Turn runId={run.runId} run={run} renderApproval={noApproval} />;
}
