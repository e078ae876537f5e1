import { assistantStore, isShown, useAssistant } from "../../state/assistant/assistant-store.ts";
import { summaryOf } from "../../state/assistant/change-text.ts";
import type { Proposal } from "../../state/assistant/desk.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { useDecision } from "./use-decision.ts";

/** What the assistant proposes, on the canvas that shows it, while the conversation cannot be seen. */
export function ProposalBar() {
  const proposal = useAssistant((state) => state.proposal);
  const elsewhere = useAssistant((state) => !isShown(state));
  return proposal !== null && elsewhere && <Bar proposal={proposal} />;
}

const lowered = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1);

function Bar({ proposal }: { proposal: Proposal }) {
  const { canvas } = useEditor();
  const running = useAssistant((state) => state.running);
  const { all, accept, reject, fits, acceptable } = useDecision(proposal);
  const added = proposal.changes.find((change) => change.kind === "add");
  const decide = (what: (ids: ReadonlySet<string>) => void, then: string | undefined) => {
    what(all);
    const { controls } = canvas.getState();
    if (then !== undefined) controls?.focus(then);
    else document.querySelector<HTMLElement>(".react-flow")?.focus({ preventScroll: true });
  };
  return (
    <section
      aria-label="Proposed changes"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b bg-accent-soft px-3 py-1.5"
    >
      <span className="text-accent">
        <Icon name="sparkles" />
      </span>
      <p role="status" className="min-w-0 flex-1 basis-48 wrap-anywhere">
        {fits
          ? `Proposed: ${lowered(summaryOf(proposal.changes))}`
          : "The workflow has changed since, and what is proposed no longer fits."}
      </p>
      <div className="flex gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
        <Button size="sm" onClick={assistantStore.getState().toggle}>
          Details
        </Button>
        <Button size="sm" disabled={running} onClick={() => decide(reject, undefined)}>
          Reject all
        </Button>
        <Button size="sm" variant="primary" disabled={!acceptable} onClick={() => decide(accept, added?.node.id)}>
          Accept all
        </Button>
      </div>
    </section>
  );
}
