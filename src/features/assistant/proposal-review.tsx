import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { giveWay, useAssistant } from "../../state/assistant/assistant-store.ts";
import type { Change } from "../../state/assistant/changes.ts";
import { changeText, summaryOf } from "../../state/assistant/change-text.ts";
import type { Proposal } from "../../state/assistant/desk.ts";
import { isOnePane } from "../../state/editor/one-pane.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ChangeRow } from "./change-row.tsx";
import { ProofBadge } from "./proof-badge.tsx";
import { useDecision } from "./use-decision.ts";

interface ProposalReviewProps {
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

/**
 * The keyboard comes to what is proposed once it is complete, where nobody is typing, and stays with it until the last is decided;
 * then it goes back to the conversation.
 */
function useKeyboard(running: boolean) {
  const section = useRef<HTMLElement>(null);
  const wasRunning = useRef(running);
  useEffect(() => {
    if (wasRunning.current && !running && !isTyping()) section.current?.focus({ preventScroll: true });
    wasRunning.current = running;
  }, [running]);
  const keep = () => {
    const before = section.current;
    const panel = before?.closest("aside");
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const next = before?.isConnected === true ? before : panel?.querySelector<HTMLElement>(afterwards());
      next?.focus({ preventScroll: true });
    });
  };
  return { section, keep };
}

/** Where the conversation goes on; on a phone a field would bring up the keys over what was decided. */
const afterwards = () => (isOnePane() ? "header button:last-of-type" : "[data-composer] textarea");

function isTyping(): boolean {
  const field = document.activeElement;
  if (field instanceof HTMLTextAreaElement) return field.value !== "" || field.closest("[data-composer]") === null;
  return field !== null && field !== document.body && field.closest("[data-composer]") === null;
}

function Review({ proposal, saveCase, onOpenRun, measure }: ProposalReviewProps & { proposal: Proposal }) {
  const { context, registry } = useEditor();
  const proof = useAssistant((state) => state.proof);
  const running = useAssistant((state) => state.running);
  const whole = useAssistant((state) => state.improving !== null);
  const { accept, reject, all, fits, acceptable } = useDecision(proposal);
  const { section, keep } = useKeyboard(running);
  const { base, draft, changes, problems } = proposal;
  const rows = useMemo(
    () => changes.map((change) => ({ change, words: changeText(change, { base, draft, registry }) })),
    [changes, base, draft, registry],
  );
  const decide = (what: (ids: ReadonlySet<string>) => void, ids: ReadonlySet<string>) => {
    what(ids);
    keep();
  };
  const show = (change: Change) => {
    const nodeId = nodeOf(change);
    if (nodeId === undefined) return;
    giveWay();
    context.canvas.getState().controls?.reveal(nodeId);
  };
  const unready = problems.length > 0;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Proposed changes"
      className="flex flex-col rounded-md border bg-surface text-sm"
    >
      <header className="flex flex-wrap items-center gap-2 px-3 py-2">
        <div className="min-w-full">
          <h3 className="font-semibold">Proposed changes</h3>
          <p className="text-xs text-muted" role="status">
            {summaryOf(changes)}
          </p>
        </div>
        <Button size="sm" disabled={running} onClick={() => decide(reject, all)}>
          Reject all
        </Button>
        <Button size="sm" variant="primary" disabled={!acceptable} onClick={() => decide(accept, all)}>
          Accept all
        </Button>
        <Button size="sm" className="sm:hidden" onClick={giveWay}>
          Show on the canvas
        </Button>
      </header>
      {measure}
      {proof !== null && <ProofBadge state={proof} saveCase={saveCase} onOpenRun={onOpenRun} />}
      {!fits && (
        <div className="px-3 pb-2">
          <Notice tone="warning" title="The workflow has changed since, and these changes no longer fit as a whole.">
            Accept those that still do, or reject them and ask the assistant again.
          </Notice>
        </div>
      )}
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
            onAccept={() => decide(accept, new Set([change.id]))}
            onReject={() => decide(reject, new Set([change.id]))}
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
