import type { ReactNode } from "react";
import { commandById } from "../../state/commands/editor-commands.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { ProblemList } from "./problem-list.tsx";
import { SaveStatus } from "./save-status.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import { WorkflowName } from "./workflow-name.tsx";

/** Undo and redo, each saying what it would take back or do again. */
function HistoryButtons() {
  const { commands, context } = useEditor();
  const undoLabel = useDocumentStore((state) => state.past.at(-1)?.label);
  const redoLabel = useDocumentStore((state) => state.future.at(-1)?.label);
  const buttons = [
    { id: "undo", icon: "undo-2" as const, step: undoLabel },
    { id: "redo", icon: "redo-2" as const, step: redoLabel },
  ];
  return buttons.map(({ id, icon, step }) => {
    const command = commandById(commands, id);
    if (command === undefined) return null;
    return (
      <IconButton
        key={id}
        size="sm"
        icon={icon}
        label={step === undefined ? command.label : `${command.label}: ${step}`}
        shortcut={command.keys?.[0]}
        disabled={step === undefined}
        onClick={() => void command.run(context)}
      />
    );
  });
}

/** Name, save state, undo and redo, problems; `actions` stand at the right, `more` before them. */
export function TopBar({ onBack, more, actions }: { onBack: () => void; more?: ReactNode; actions: ReactNode }) {
  return (
    <header className="z-20 flex h-12 shrink-0 items-center gap-2 border-b bg-surface px-2">
      <IconButton size="sm" icon="arrow-left" label="All workflows" onClick={onBack} />
      <WorkflowName />
      <SaveStatus />
      <div className="ml-auto flex items-center gap-1">
        <div className="flex items-center max-sm:hidden">
          <HistoryButtons />
        </div>
        <ProblemList />
        {more}
        <WorkflowMenu />
        {actions}
      </div>
    </header>
  );
}
