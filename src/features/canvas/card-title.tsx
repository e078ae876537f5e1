import { useEffect, useRef, useState } from "react";
import { renameNode } from "../../state/commands/rename.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { offOf } from "../../state/editing/node-off.ts";
import { focusNode } from "./focus-node.ts";
import { isEnter } from "../../ui/fields/composing.ts";

/** The title while it is changed: Enter and leaving keep it, Escape takes it back. */
function TitleInput({ id, title }: { id: string; title: string }) {
  const { canvas, context } = useEditor();
  const [draft, setDraft] = useState(title);
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);

  useEffect(() => {
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, []);

  function finish(keep: boolean, focus: boolean) {
    if (done.current) return;
    done.current = true;
    if (keep) renameNode(context, id, draft);
    canvas.setState({ editing: null });
    if (focus) focusNode(canvas, id);
  }

  return (
    <input
      ref={input}
      className="card-title-input nodrag nopan"
      aria-label={`Title of ${title}`}
      value={draft}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isEnter(event)) finish(true, true);
        if (event.key === "Escape") finish(false, true);
      }}
    />
  );
}

/** The title of a node, which becomes a text field in its place. */
export function CardTitle({ id, className = "card-title" }: { id: string; className?: string }) {
  const title = useDocumentStore((state) => state.document.nodes[id]?.title ?? "");
  const { registry } = useEditor();
  const off = useDocumentStore(({ document: { nodes } }) => {
    const node = nodes[id];
    return node === undefined ? null : offOf(registry, node);
  });
  const isEdited = useCanvasStore((state) => state.editing?.nodeId === id && state.editing.part === "title");
  return (
    <div className={className} dir="auto" data-off={off ?? undefined}>
      {isEdited ? <TitleInput id={id} title={title} /> : title}
    </div>
  );
}
