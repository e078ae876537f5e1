import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { agentBadges } from "./agent-badges.ts";
import { cardLine } from "./card-line.ts";
import { spriteId } from "./icon-sprite.tsx";
import { NodePorts } from "./node-ports.tsx";
import { NodeRun } from "./node-run.tsx";
import type { CanvasNode } from "./project-document.ts";

/** A node's card where nothing can be changed: what it is, and what the run on show does there. */
export const StillCard = memo(
  function StillCard({ data: { id } }: NodeProps<CanvasNode>) {
    const { registry } = useEditor();
    const node = useDocumentStore((state) => state.document.nodes[id]);
    const detail = useCanvasStore((state) => state.detail);
    const definition = definitionOf(registry, node?.type ?? "");
    const badges = useDocumentStore((state) => agentBadges(state.document, registry, id));
    if (node === undefined) return null;
    return (
      <>
        <svg className="card-chip" aria-hidden>
          <use href={`#${spriteId(definition?.icon ?? "circle-question-mark")}`} />
        </svg>
        <div className="card-text">
          <div className="card-title" dir="auto">
            {node.title}
          </div>
          {detail === "full" && definition !== undefined && <div className="card-line">{cardLine(registry, node)}</div>}
        </div>
        {detail === "full" && definition?.role === "agent" && <div className="card-badges">{badges}</div>}
        <NodeRun id={id} />
        {detail === "full" && <NodePorts id={id} definition={definition} />}
      </>
    );
  },
  (a, b) => a.data.id === b.data.id,
);
