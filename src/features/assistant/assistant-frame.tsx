import type { ReactNode } from "react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { assistantStore, giveWay } from "../../state/assistant/assistant-store.ts";

/** On a phone what waits for the person is seen on the canvas next. */
function close(): void {
  const { proposal, close: closePanel } = assistantStore.getState();
  if (proposal !== null) giveWay();
  closePanel();
}

/** The panel's head: its name, the way to its own workflow, and the way out. */
export function AssistantFrame({ onOpenWorkflow, children }: { onOpenWorkflow?: () => void; children: ReactNode }) {
  return (
    <aside aria-label="Assistant" className="flex h-full min-h-0 flex-col border-l bg-surface max-sm:border-l-0">
      <header className="flex h-10 shrink-0 items-center gap-1 border-b pr-1 pl-3">
        <h2 className="flex-1 font-semibold">Assistant</h2>
        {onOpenWorkflow && (
          <IconButton
            size="sm"
            icon="workflow"
            label="Open the assistant's own workflow: prompt, model and runs"
            onClick={onOpenWorkflow}
          />
        )}
        <IconButton size="sm" icon="x" label="Close the assistant" shortcut="mod+i" onClick={close} />
      </header>
      {children}
    </aside>
  );
}
