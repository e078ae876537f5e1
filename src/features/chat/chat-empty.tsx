import { useDocumentStore } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** First questions that this workflow can answer, by the types of its nodes. */
function suggestionsFor(types: readonly string[]): string[] {
  return [
    ...(types.includes("calculator-tool") ? ["What is 12.5% of 480?"] : []),
    ...(types.some((type) => type.endsWith("-memory")) ? ["My name is Ada. Please remember it."] : []),
    "What can you help me with?",
  ];
}

/** A conversation before its first message: teaches one question, or what is missing for one. */
export function ChatEmpty({ hasTrigger, onPick }: { hasTrigger: boolean; onPick: (message: string) => void }) {
  const types = useDocumentStore(({ document }) =>
    Object.values(document.nodes)
      .flatMap(({ type, disabled }) => (disabled === true ? [] : [type]))
      .join(" "),
  );
  if (!hasTrigger) {
    return (
      <EmptyState icon="message-square" title="This workflow does not listen to a chat">
        Add a chat trigger from the palette and connect it to an agent. A workflow with a manual trigger runs with Test.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col items-center gap-1 py-4 text-center">
      <h2 className="text-base font-semibold">Ask the first question</h2>
      <p className="text-muted">Each message runs the workflow; the canvas shows where the work is.</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {suggestionsFor(types.split(" ")).map((suggestion) => (
          <Button key={suggestion} size="sm" onClick={() => onPick(suggestion)}>
            {suggestion}
          </Button>
        ))}
      </div>
    </div>
  );
}
