import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { useDocumentStore, useEditor, useProblemStore, useRunStore } from "../../stores/editor-context.tsx";
import { problemsOf } from "../../stores/problem-store.ts";
import { currentRun } from "../../stores/run-store.ts";
import { agentBadges } from "./agent-badges.ts";
import { cardLine } from "./card-line.ts";
import { spriteId } from "./icon-sprite.tsx";
import { NodePorts } from "./node-ports.tsx";
import { NodeRun } from "./node-run.tsx";
import type { CanvasNode } from "./project-document.ts";

/** The line under the title, and for an agent what it has. One element, to keep big graphs light. */
function CardText({ id, role }: { id: string; role: string }) {
  const { registry } = useEditor();
  const session = useRunStore((state) => {
    const run = role === "agent" ? currentRun(state) : undefined;
    return run?.nodes[id]?.session;
  });
  const text = useDocumentStore((state) => {
    const node = state.document.nodes[id];
    if (node === undefined) return "";
    const line = cardLine(registry, node);
    return role === "agent" ? `${line}\n${agentBadges(state.document, registry, id, session)}` : line;
  });
  return <div className="card-line">{text}</div>;
}

/** A red mark with the reason, while the node has a problem that would stop a run. */
function CardProblem({ id }: { id: string }) {
  const reason = useProblemStore((state) =>
    problemsOf(state, id)
      .filter(({ severity }) => severity === "error")
      .map(({ message, hint }) => `${message} ${hint}`)
      .join("\n"),
  );
  return reason === "" ? null : <div className="card-problem" role="img" aria-label={reason} title={reason} />;
}

/** A node on the canvas. Its data is only an id; every part reads its own piece of the stores. */
export const NodeCard = memo(function NodeCard({ data: { id } }: NodeProps<CanvasNode>) {
  const { registry } = useEditor();
  const type = useDocumentStore((state) => state.document.nodes[id]?.type ?? "");
  const title = useDocumentStore((state) => state.document.nodes[id]?.title ?? "");
  const disabled = useDocumentStore((state) => state.document.nodes[id]?.disabled === true);
  const definition = definitionOf(registry, type);
  return (
    <>
      <svg className="card-chip" aria-hidden>
        <use href={`#${spriteId(definition?.icon ?? "circle-question-mark")}`} />
      </svg>
      <div className="card-title" data-disabled={disabled || undefined}>
        {title}
      </div>
      <CardText id={id} role={definition?.role ?? "flow"} />
      <CardProblem id={id} />
      <NodeRun id={id} />
      <NodePorts id={id} definition={definition} />
    </>
  );
});
