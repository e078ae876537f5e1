import { type ReactNode, useMemo } from "react";
import { acceptChanges, rejectChanges } from "../../state/assistant/decide.ts";
import { giveWay, useAssistant } from "../../state/assistant/assistant-store.ts";
import type { Change } from "../../state/assistant/changes.ts";
import { changeText, summaryOf } from "../../state/assistant/change-text.ts";
import type { Desk, Proposal } from "../../state/assistant/desk.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ChangeRow } from "./change-row.tsx";
import { ProofBadge } from "./proof-badge.tsx";

interface ProposalReviewProps {
  desk: Desk;
  /** The assistant is still at work, so the list may grow. */
  running: boolean;
  /** What makes a test case of the failed run that the changes are about. */
  saveCase: ReactNode;
  onOpenRun: (runId: string) => void;
  /** What measures changes that are made for a suite. */
  measure: ReactNode;
}

/** The changes that wait: each can be accepted or rejected, or all at once. Nothing where there are none. */
export function ProposalReview(props: ProposalReviewProps) {
  const proposal = useAssistant((state) => state.proposal);
  if (proposal === null) return null;
  return <Review {...props} proposal={proposal} />;
}

function Review({
  desk,
  running,
  proposal,
  saveCase,
  onOpenRun,
  measure,
}: ProposalReviewProps & { proposal: Proposal }) {
  const { context, registry } = useEditor();
  const proof = useAssistant((state) => state.proof);
  // What is made for a suite is accepted as it was measured: as a whole, and only when it does better.
  const measured = useAssistant((state) => state.improving === null || state.measured?.isBetter === true);
  const whole = useAssistant((state) => state.improving !== null);
  const { base, draft, changes, problems } = proposal;
  const rows = useMemo(
    () => changes.map((change) => ({ change, words: changeText(change, { base, draft, registry }) })),
    [changes, base, draft, registry],
  );
  const all = new Set(changes.map(({ id }) => id));
  const accept = (ids: ReadonlySet<string>) => acceptChanges(context, desk, proposal, ids);
  const reject = (ids: ReadonlySet<string>) => rejectChanges(context, desk, proposal, ids);
  const show = (change: Change) => {
    const nodeId = nodeOf(change);
    if (nodeId === undefined) return;
    giveWay();
    context.canvas.getState().controls?.reveal(nodeId);
  };
  const unready = problems.length > 0;
  return (
    <section aria-label="Proposed changes" className="flex flex-col rounded-md border bg-surface text-sm">
      <header className="flex flex-wrap items-center gap-2 px-3 py-2">
        <div className="min-w-full">
          <h3 className="font-semibold">Proposed changes</h3>
          <p className="text-xs text-muted" role="status">
            {summaryOf(changes)}
          </p>
        </div>
        <Button size="sm" disabled={running} onClick={() => reject(all)}>
          Reject all
        </Button>
        <Button size="sm" variant="primary" disabled={running || unready || !measured} onClick={() => accept(all)}>
          Accept all
        </Button>
      </header>
      {measure}
      {proof !== null && <ProofBadge state={proof} saveCase={saveCase} onOpenRun={onOpenRun} />}
      {unready && !running && (
        <div className="px-3 pb-2">
          <Notice tone="warning" title="These changes are not complete, so they cannot be accepted as they are.">
            {problems[0]?.message} Ask the assistant to finish them.
          </Notice>
        </div>
      )}
      <ul aria-label="Changes" className="divide-y border-t">
        {rows.map(({ change, words }) => (
          <ChangeRow
            key={change.id}
            change={change}
            words={words}
            disabled={running}
            acceptable={!whole}
            onShow={() => show(change)}
            onAccept={() => accept(new Set([change.id]))}
            onReject={() => reject(new Set([change.id]))}
          />
        ))}
      </ul>
    </section>
  );
}

function nodeOf(change: Change): string | undefined {
  switch (change.kind) {
    case "add":
    case "remove":
    case "replace":
      return change.node.id;
    case "set":
    case "rename":
      return change.nodeId;
    case "connect":
    case "disconnect":
      return change.edge.to.node;
  }
}
