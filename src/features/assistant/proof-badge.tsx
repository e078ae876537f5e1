import type { ReactNode } from "react";
import type { ProofState } from "../../stores/assistant/assistant-store.ts";
import { Notice, type NoticeTone } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";

const looks: Readonly<Record<"fixed" | "still-fails" | "not-reproduced", { tone: NoticeTone; title: string }>> = {
  fixed: { tone: "success", title: "Reproduced, then fixed" },
  "still-fails": { tone: "danger", title: "It still fails" },
  "not-reproduced": { tone: "warning", title: "The failure could not be reproduced" },
};

/** What came of running the failed run again with the changes. */
export function ProofBadge({ state, saveCase }: { state: ProofState; saveCase: ReactNode }) {
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
        <Notice {...looks[state.proof.kind]} action={state.proof.kind === "fixed" ? saveCase : undefined}>
          {state.proof.reason}
        </Notice>
      )}
    </div>
  );
}
