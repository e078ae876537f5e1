import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import {
  useBreakpointStore,
  useCanvasStore,
  useDocumentStore,
  useEditor,
  useProblemStore,
  useRunStore,
} from "../../state/editor/editor-context.tsx";
import {
  collectionOf,
  usesCollection,
  useCollectionsById,
  withCollectionName,
} from "../../state/knowledge/collection-list.ts";
import { problemsOf, type ProblemState } from "../../state/document/problem-store.ts";
import { currentRun } from "../../state/run/run-store.ts";
import { agentBadges } from "./agent-badges.ts";
import { asksFirst } from "./asks-first.ts";
import { CardTitle } from "./card-title.tsx";
import { cardLine } from "./card-line.ts";
import { spriteId } from "./icon-sprite.tsx";
import { NodePorts } from "./node-ports.tsx";
import { NodeRun } from "./node-run.tsx";
import type { CanvasNode } from "./project-document.ts";

/** The line under the title: what the node will do. */
function CardLine({ id }: { id: string }) {
  const { registry } = useEditor();
  const line = useDocumentStore((state) => {
    const node = state.document.nodes[id];
    return node === undefined ? "" : cardLine(registry, node);
  });
  return <div className="card-line">{line}</div>;
}

/** What an agent has: tools, memory. */
function CardBadges({ id }: { id: string }) {
  const { registry } = useEditor();
  const words = useDocumentStore((state) => agentBadges(state.document, registry, id));
  return <div className="card-badges">{words}</div>;
}

/** A mark with the reason: red for what would stop a run, amber for a warning, of the graph or of the run on show. */
function CardProblem({ id }: { id: string }) {
  const wordsOf = (severity: "error" | "warning") => (state: ProblemState) =>
    problemsOf(state, id)
      // What waits for a review is said once, above the canvas.
      .filter((problem) => problem.severity === severity && problem.review === undefined)
      .map(({ message, hint }) => `${message} ${hint}`)
      .join("\n");
  const error = useProblemStore(wordsOf("error"));
  const warning = useProblemStore(wordsOf("warning"));
  const ofRun = useRunStore((state) => currentRun(state)?.nodes[id]?.warning ?? "");
  const reason = [error, warning, ofRun].filter(Boolean).join("\n");
  if (reason === "") return null;
  const tone = error === "" ? "warning" : "error";
  return <div className="card-problem" data-tone={tone} role="img" aria-label={reason} title={reason} />;
}

/** The mark of a breakpoint: a run is held before this node. */
function CardBreakpoint({ id }: { id: string }) {
  const isSet = useBreakpointStore((state) => state.nodes.includes(id));
  if (!isSet) return null;
  return <div className="card-breakpoint" role="img" aria-label="Breakpoint" title="Breakpoint: a run pauses here" />;
}

/** That the node's output is pinned: a run takes it instead of running the node. */
function CardPin({ id }: { id: string }) {
  const isPinned = useDocumentStore((state) => state.document.nodes[id]?.pin !== undefined);
  if (!isPinned) return null;
  return (
    <svg className="card-pin" role="img" aria-label="Output pinned">
      <title>Output pinned: runs use it instead of running the node</title>
      <use href={`#${spriteId("pin")}`} />
    </svg>
  );
}

/** That the tool asks a person before it does anything. */
function CardAsks({ id }: { id: string }) {
  const { registry } = useEditor();
  const words = useDocumentStore((state) => {
    const node = state.document.nodes[id];
    return node && asksFirst(definitionOf(registry, node.type), node.config);
  });
  if (words === undefined) return null;
  return (
    <svg className="card-asks" role="img" aria-label={words}>
      <title>{words}</title>
      <use href={`#${spriteId("hand")}`} />
    </svg>
  );
}

/** React Flow places the card; where it lies, and that it moves, is nothing that is drawn in it. */
const sameCard = (a: NodeProps<CanvasNode>, b: NodeProps<CanvasNode>) => a.data.id === b.data.id;

/** A node on the canvas. Its data is only an id; every part reads its own piece of the stores. */
export const NodeCard = memo(function NodeCard({ data: { id } }: NodeProps<CanvasNode>) {
  const { registry } = useEditor();
  const type = useDocumentStore((state) => state.document.nodes[id]?.type ?? "");
  const detail = useCanvasStore((state) => state.detail);
  const isRenamed = useCanvasStore((state) => state.editing?.nodeId === id);
  const definition = definitionOf(registry, type);
  if (detail === "box") {
    return (
      <>
        {isRenamed && (
          <div className="card-text">
            <CardTitle id={id} />
          </div>
        )}
        <CardProblem id={id} />
        <CardBreakpoint id={id} />
        <NodeRun id={id} />
      </>
    );
  }
  const lean = detail === "lean";
  return (
    <>
      <svg className="card-chip" aria-hidden>
        <use href={`#${spriteId(definition?.icon ?? "circle-question-mark")}`} />
      </svg>
      <div className="card-text">
        <CardTitle id={id} />
        {!lean && (usesCollection(type) ? <CollectionLine id={id} /> : <CardLine id={id} />)}
      </div>
      {!lean && definition?.role === "agent" && <CardBadges id={id} />}
      <CardProblem id={id} />
      <CardBreakpoint id={id} />
      <CardPin id={id} />
      {definition?.role === "tool" && <CardAsks id={id} />}
      <NodeRun id={id} />
      {/* Edges know their ends without the ports. */}
      {!lean && <NodePorts id={id} definition={definition} />}
    </>
  );
}, sameCard);

/** The line of a node that searches a collection, which may have got another name since it was chosen. */
function CollectionLine({ id }: { id: string }) {
  const { registry } = useEditor();
  const node = useDocumentStore((state) => state.document.nodes[id]);
  const searched = collectionOf(node);
  const { data } = useCollectionsById(searched === "" ? [] : [searched]);
  return <div className="card-line">{node && cardLine(registry, withCollectionName(node, data))}</div>;
}
