import { useState } from "react";
import { renameWorkflow } from "../../state/commands/rename.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { isEnter } from "../../ui/fields/composing.ts";

/** The workflow's name, changed in place: Enter or leaving keeps it, Escape takes it back. */
export function WorkflowName() {
  const { context } = useEditor();
  const name = useDocumentStore((state) => state.document.name);
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <div className="relative inline-grid max-w-[min(360px,40vw)] min-w-0 items-center">
      <h1 className="sr-only">{name}</h1>
      <span aria-hidden className="invisible truncate px-2 text-base font-semibold whitespace-pre">
        {draft ?? name}
      </span>
      <input
        value={draft ?? name}
        aria-label="Workflow name"
        maxLength={200}
        dir="auto"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (draft !== null) renameWorkflow(context, draft);
          setDraft(null);
        }}
        onKeyDown={(event) => {
          if (isEnter(event)) event.currentTarget.blur();
          if (event.key === "Escape") {
            event.stopPropagation();
            setDraft(null);
          }
        }}
        className="absolute inset-x-0 h-7 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-1.5 text-base font-semibold outline-none hover:border-line-strong focus:border-accent text-left"
      />
    </div>
  );
}
