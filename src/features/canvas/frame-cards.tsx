import { type NodeProps, ViewportPortal } from "@xyflow/react";
import { memo, useState } from "react";
import { toggleFold } from "../../state/commands/group-commands.ts";
import { setConfigField } from "../../state/commands/set-config.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { CardTitle } from "./card-title.tsx";
import { FoldedStatus } from "./folded-status.tsx";
import { focusNode } from "./focus-node.ts";
import { FoldedPorts } from "./folded-ports.tsx";
import { spriteId } from "./icon-sprite.tsx";
import type { CanvasNode } from "./project-document.ts";
import { ResizeCorner } from "./resize-corner.tsx";
import "./frames.css";

function NoteText({ id, text }: { id: string; text: string }) {
  const { canvas, context } = useEditor();
  const [draft, setDraft] = useState(text);

  function finish(keep: boolean) {
    if (keep && draft !== text) {
      context.document.getState().mark();
      setConfigField(context, id, { name: "text", label: "Note" }, draft);
      context.document.getState().mark();
    }
    canvas.setState({ editing: null });
  }

  return (
    <textarea
      autoFocus
      className="note-input nodrag nopan nowheel"
      aria-label="Text of the note, in Markdown"
      value={draft}
      maxLength={10_000}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        const keeps = event.key === "Enter" && (event.metaKey || event.ctrlKey);
        if (event.key !== "Escape" && !keeps) return;
        finish(true);
        focusNode(canvas, id);
      }}
    />
  );
}

/** A note: Markdown on a coloured ground, changed in place. */
export const NoteCard = memo(function NoteCard({ data: { id }, selected }: NodeProps<CanvasNode>) {
  const text = useDocumentStore((state) => {
    const value = state.document.nodes[id]?.config["text"];
    return typeof value === "string" ? value : "";
  });
  const isEdited = useCanvasStore((state) => state.editing?.nodeId === id && state.editing.part === "text");
  const isBox = useCanvasStore((state) => state.detail === "box");
  return (
    <>
      {selected && <ResizeCorner id={id} />}
      {isEdited ? (
        <NoteText id={id} text={text} />
      ) : isBox ? null : (
        <div className="note-text nowheel">
          {text.trim() === "" ? <p className="note-empty">Double-click to write</p> : <Markdown text={text} />}
        </div>
      )}
    </>
  );
});

function FoldButton({ id, folded }: { id: string; folded: boolean }) {
  const { context } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[id]?.title ?? "");
  const label = `${folded ? "Unfold" : "Fold"} ${title}`;
  return (
    <button
      type="button"
      className="fold-button nodrag nopan"
      aria-label={label}
      title={label}
      aria-expanded={!folded}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        toggleFold(context, id);
      }}
    >
      <Icon name={folded ? "chevron-right" : "chevron-down"} size={14} />
    </button>
  );
}

/** The button of an open group, above the wires, which lie over its frame. */
function LiftedFoldButton({ id }: { id: string }) {
  const dragged = useCanvasStore((state) => (state.copying ? undefined : state.drag?.[id]));
  const position = useDocumentStore((state) => state.document.nodes[id]?.position);
  const { x = 0, y = 0 } = dragged ?? position ?? {};
  return (
    <ViewportPortal>
      <div className="frame-lift" style={{ transform: `translate(${x}px, ${y}px)` }}>
        <FoldButton id={id} folded={false} />
      </div>
    </ViewportPortal>
  );
}

/** An open group: a frame whose header can be held. */
export const FrameCard = memo(function FrameCard({ data: { id }, selected }: NodeProps<CanvasNode>) {
  return (
    <>
      {selected && <ResizeCorner id={id} />}
      <LiftedFoldButton id={id} />
      <div className="frame-header">
        <CardTitle id={id} className="frame-title" />
      </div>
    </>
  );
});

/** A folded group: one card for all that is in it, with a port for each kind of edge that crosses its frame. */
export const FoldedCard = memo(function FoldedCard({ data: { id } }: NodeProps<CanvasNode>) {
  const count = useDocumentStore((state) => {
    const members = state.document.nodes[id]?.config["members"];
    return Array.isArray(members) ? members.length : 0;
  });
  return (
    <>
      <svg className="card-chip" aria-hidden>
        <use href={`#${spriteId("group")}`} />
      </svg>
      <div className="card-text">
        <CardTitle id={id} />
        <div className="card-line">{count === 1 ? "1 node" : `${count} nodes`}</div>
      </div>
      <FoldButton id={id} folded />
      <FoldedStatus id={id} />
      <FoldedPorts id={id} />
    </>
  );
});
