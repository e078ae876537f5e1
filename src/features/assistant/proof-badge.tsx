import type { ReactNode } from "react";
import type { ProofState } from "../../state/assistant/assistant-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice, type NoticeTone } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";

const looks: Readonly<Record<"fixed" | "still-fails" | "not-reproduced", { tone: NoticeTone; title: string }>> = {
  fixed: { tone: "success", title: "Reproduced, then fixed" },
  "still-fails": { tone: "danger", title: "It still fails" },
  "not-reproduced": { tone: "warning", title: "The failure could not be reproduced" },
};

interface ProofBadgeProps {
  state: ProofState;
  saveCase: ReactNode;
  onOpenRun: (runId: string) => void;
}

/** What came of running the failed run again with the changes. */
export function ProofBadge({ state, saveCase, onOpenRun }: ProofBadgeProps) {
  return (
    <div className="px-3 pb-2">
      {state.status === "running" ? (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner label="Trying the changes" />
          Trying the changes on the recorded run. Nothing outside is changed.
        </p>
      ) : state.status === "failed" ? (
        <Notice tone="warning" title="The changes could not be tried">
          {state.message}
        </Notice>
      ) : (
        <Notice
          {...looks[state.proof.kind]}
          action={
            <div className="flex flex-wrap gap-2">
              {state.proof.events.slice(0, 1).map(({ runId }) => (
                <Button key={runId} onClick={() => onOpenRun(runId)}>
                  Open the run
                </Button>
              ))}
              {state.proof.kind === "fixed" && saveCase}
            </div>
          }
        >
          {state.proof.reason}
        </Notice>
      )}
    </div>
  );
}
