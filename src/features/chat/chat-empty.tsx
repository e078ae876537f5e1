import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

const suggestions = ["What is 12.5% of 480?", "My name is Ada. Please remember it.", "What can you help me with?"];

/** A conversation before its first message: teaches one question, or what is missing for one. */
export function ChatEmpty({ hasTrigger, onPick }: { hasTrigger: boolean; onPick: (message: string) => void }) {
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
        {suggestions.map((suggestion) => (
          <Button key={suggestion} size="sm" onClick={() => onPick(suggestion)}>
            {suggestion}
          </Button>
        ))}
      </div>
    </div>
  );
}
