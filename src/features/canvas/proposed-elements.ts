import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Change } from "../../state/assistant/changes.ts";
import type { Proposal } from "../../state/assistant/desk.ts";
import { type CanvasEdge, type CanvasNode, createEdgeProjector, createNodeProjector } from "./project-document.ts";

/** What the canvas shows of a proposal: marks on what is there, and ghosts of what is not. */
export interface Proposed {
  nodes: CanvasNode[];
  edges: CanvasEdge[];
}

const nothingSelected = {};
const still = { draggable: false, selectable: false, connectable: false, deletable: false, focusable: false };

/** What a proposal for this document adds to the canvas, and what it marks there. */
export interface ProposedMarks extends Proposed {
  /** Classes of cards by id. */
  cards: ReadonlyMap<string, string>;
  /** Ids of wires that would go. */
  gone: ReadonlySet<string>;
}

/** Ghosts and marks of a proposal; apart from the cards themselves, so that a drag does not make them anew. */
export function proposedMarks(
  { draft, changes }: Pick<Proposal, "draft" | "changes">,
  document: WorkflowDocument,
  registry: NodeRegistry,
): ProposedMarks {
  const marks = marksOf(changes);
  const ghosts = ghostDocument(document, draft, changes);
  const nodes = createNodeProjector(registry)(ghosts, nothingSelected, null)
    .filter(({ id }) => document.nodes[id] === undefined)
    .map((node): CanvasNode => ({
      ...node,
      ...still,
      type: "ghost",
      className: `${node.className ?? ""} card-ghost`,
      ariaLabel: `Proposed: ${node.ariaLabel ?? ""}`,
    }));
  const edges = createEdgeProjector(registry)(ghosts, nothingSelected, null)
    .filter(({ id }) => document.edges[id] === undefined)
    .map((edge): CanvasEdge => ({ ...edge, ...still, className: "edge-ghost" }));
  return { nodes, edges, cards: marks.nodes, gone: marks.edges };
}

/** The canvas with a proposal drawn into it. */
export function withProposed(shown: Proposed, { nodes, edges, cards, gone }: ProposedMarks): Proposed {
  return {
    nodes: [
      ...shown.nodes.map((node) => {
        const mark = cards.get(node.id);
        return mark === undefined ? node : { ...node, className: `${node.className ?? ""} ${mark}` };
      }),
      ...nodes,
    ],
    edges: [
      ...shown.edges.map((edge) =>
        gone.has(edge.id) ? { ...edge, className: `${edge.className ?? ""} edge-gone` } : edge,
      ),
      ...edges,
    ],
  };
}

function marksOf(changes: readonly Change[]) {
  const nodes = new Map<string, string>();
  const edges = new Set<string>();
  for (const change of changes) {
    if (change.kind === "remove") nodes.set(change.node.id, "card-gone");
    else if (change.kind === "replace") nodes.set(change.node.id, "card-proposed");
    else if (change.kind === "set" || change.kind === "rename") nodes.set(change.nodeId, "card-proposed");
    else if (change.kind === "disconnect") edges.add(change.edge.id);
  }
  return { nodes, edges };
}

/** The document with what would be added: the cards and wires that are there stay as they are. */
function ghostDocument(
  document: WorkflowDocument,
  draft: WorkflowDocument,
  changes: readonly Change[],
): WorkflowDocument {
  const nodes = { ...document.nodes };
  const edges: WorkflowDocument["edges"] = {};
  for (const change of changes) {
    if (change.kind === "add") nodes[change.node.id] = draft.nodes[change.node.id] ?? change.node;
    if (change.kind === "connect") edges[change.edge.id] = change.edge;
  }
  return { ...document, nodes, edges };
}
