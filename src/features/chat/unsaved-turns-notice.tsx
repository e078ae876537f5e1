import { useState, useSyncExternalStore } from "react";
import { readSessionName } from "../../engine/memory/memory.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Says how many turns with this workflow no memory has got yet, with a way to try at once. */
export function UnsavedTurnsNotice() {
  const { workflowId } = useEditor();
  const { unsavedTurns } = useServices();
  const [busy, setBusy] = useState(false);
  const turns = useSyncExternalStore(unsavedTurns.subscribe, unsavedTurns.list);
  const waiting = turns.filter(
    (turn) =>
      readSessionName(turn.sessionId).side === null && (turn.workflowId === null || turn.workflowId === workflowId),
  );
  if (waiting.length === 0) return null;
  const retry = () => {
    setBusy(true);
    void unsavedTurns.retry().finally(() => setBusy(false));
  };
  return (
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pt-2">
      <Notice
        tone="warning"
        title={waiting.length === 1 ? "This turn was not saved" : `${waiting.length} turns were not saved`}
        action={
          <Button size="sm" icon="refresh-cw" busy={busy} onClick={retry}>
            Retry
          </Button>
        }
      >
        Pending in this browser. Saved as soon as the memory can be reached.
      </Notice>
    </div>
  );
}
