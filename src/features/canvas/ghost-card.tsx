import type { NodeProps } from "@xyflow/react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { spriteId } from "./icon-sprite.tsx";
import type { CanvasNode } from "./project-document.ts";

/** A node that the assistant proposes and that is not there yet. */
export function GhostCard({ data: { id } }: NodeProps<CanvasNode>) {
  const { registry } = useEditor();
  const node = useAssistant((state) => state.proposal?.draft.nodes[id]);
  if (node === undefined) return null;
  const definition = definitionOf(registry, node.type);
  return (
    <>
      <svg className="card-chip" aria-hidden>
        <use href={`#${spriteId(definition?.icon ?? "circle-question-mark")}`} />
      </svg>
      <div className="card-text">
        <div className="card-title">{node.title}</div>
        <div className="card-line">Proposed: {definition?.title ?? node.type}</div>
      </div>
    </>
  );
}
