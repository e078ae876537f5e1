import { useEffect, useRef, useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { renameNode } from "../../state/commands/rename.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { isEnter } from "../../ui/fields/composing.ts";

/** The title, changed in place: Enter or leaving keeps it, Escape takes it back. */
export function NodeTitle({ node }: { node: NodeRecord }) {
  const { context, canvas } = useEditor();
  const [draft, setDraft] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const wanted = useCanvasStore((state) => state.focusField);

  useEffect(() => {
    if (wanted?.nodeId !== node.id || wanted.field !== "title") return;
    input.current?.select();
    canvas.setState({ focusField: null });
  }, [canvas, node.id, wanted]);

  function keep() {
    if (draft !== null) renameNode(context, node.id, draft);
    setDraft(null);
  }

  return (
    <input
      ref={input}
      value={draft ?? node.title}
      aria-label="Title"
      maxLength={200}
      spellCheck={false}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (isEnter(event)) event.currentTarget.blur();
        if (event.key !== "Escape" || draft === null) return;
        event.stopPropagation();
        setDraft(null);
      }}
      className="h-7 w-full min-w-0 truncate rounded-md border border-transparent bg-transparent px-1.5 text-base font-semibold outline-none hover:border-line focus:border-accent"
    />
  );
}
