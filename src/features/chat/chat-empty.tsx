import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import type { Problem } from "../../state/document/problem-store.ts";
import { foldReviews } from "../../state/document/fold-reviews.ts";
import { showProblem } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { firstQuestions } from "./first-questions.ts";
import { useChatProblems } from "./use-chat-problems.ts";

interface ChatEmptyProps {
  sessionId: string;
  hasTrigger: boolean;
  /** It is the assistant's conversation, not that of the page's workflow. */
  aside: boolean;
  onPick: (message: string) => void;
}

/** A conversation before its first message: teaches one question, or what is missing for one. */
export function ChatEmpty({ sessionId, hasTrigger, aside, onPick }: ChatEmptyProps) {
  const { registry } = useEditor();
  const nodes = useDocumentStore(({ document }) => document.nodes);
  const problems = useChatProblems(sessionId);
  if (!hasTrigger) {
    return (
      <EmptyState icon="message-square" title="This workflow does not listen to a chat">
        Add a chat trigger from the palette and connect it to an agent. A workflow with a manual trigger runs with Test.
      </EmptyState>
    );
  }
  if (problems.length > 0) return <Unready problems={problems} />;
  return (
    <div className="flex flex-col items-center gap-1 py-4 text-center">
      <h2 className="text-base font-semibold">{aside ? "Ask the assistant" : "Ask the first question"}</h2>
      <p className="text-muted">
        {aside
          ? "It explains this workflow, finds out why a run failed, and proposes changes. None is made until you accept it."
          : "Each message runs the workflow; the canvas shows where the work is."}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {firstQuestions(nodes, registry).map((suggestion) => (
          <Button key={suggestion} size="sm" className="max-w-full" onClick={() => onPick(suggestion)}>
            <span className="truncate">{suggestion}</span>
          </Button>
        ))}
      </div>
    </div>
  );
}

/** More than these would be a list to study; the rest shows when they are settled. */
const shown = 4;

/** What has to be settled before a first question can be answered, each with the way there. */
function Unready({ problems: all }: { problems: readonly Problem[] }) {
  const { canvas } = useEditor();
  const nodes = useDocumentStore(({ document }) => document.nodes);
  const problems = foldReviews(all);
  const titleOf = ({ nodeId = "" }: Problem) => nodes[nodeId]?.title;
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-1 py-4 text-center">
      <h2 className="text-base font-semibold">Before the first question</h2>
      <p className="text-muted">The workflow cannot run yet. Fix this first:</p>
      <ul className="mt-2 flex w-full flex-col gap-2 text-left">
        {problems.slice(0, shown).map((problem, index) => (
          <li key={`${problem.message}-${index}`} className="flex items-center gap-3 rounded-md border px-3 py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span className="block font-medium">{problem.message}</span>
              <span className="block text-muted">{problem.hint}</span>
            </span>
            {titleOf(problem) !== undefined && (
              <Button
                size="sm"
                aria-label={`Go there: ${titleOf(problem)}`}
                onClick={() => showProblem(canvas, problem)}
              >
                Go there
              </Button>
            )}
          </li>
        ))}
      </ul>
      {problems.length > shown && <p className="text-muted">and {problems.length - shown} more</p>}
    </div>
  );
}
