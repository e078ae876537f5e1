import { definitionOf, portOf } from "../../engine/document/can-connect.ts";
import { newNode } from "../../engine/document/new-document.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { Point } from "../editor/canvas-store.ts";
import { edgesOf } from "../editing/edge-index.ts";
import { findConnection, fitLooseEnd, type Connection, type LooseEnd } from "../editing/find-connection.ts";
import { nodeGeometry } from "../editing/node-geometry.ts";
import { freePlace, placeBeside, placeInRoom, snap } from "../editing/place-node.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { CommandContext } from "./command.ts";

/** Canvas pixels between two cards of one column. */
const columnGap = 32;

/** How a node begins, where it is more than its type: its title, and settings beside the defaults. */
export interface NodeStart {
  title: string;
  config: JsonObject;
}

export interface AddNodeOptions {
  type: string;
  start?: NodeStart;
  /** Upper left corner of the card; found when absent. */
  position?: Point;
  /** The wire that the new node answers; found from the selection when neither this nor `position` is given. */
  wire?: LooseEnd;
}

/**
 * Nodes that a click in the palette may connect the new node to, best first: the selected one; for a service, also the
 * agent that the selected service serves, and the only agent, since the service added before is what is selected now.
 */
function partners(context: CommandContext, document: WorkflowDocument, node: NodeRecord): string[] {
  const selected = Object.keys(context.canvas.getState().selection.nodes).filter((id) => document.nodes[id]);
  const single = selected.length === 1 ? selected : [];
  if (single.length > 0 && !serves(context, node)) return single;
  const isAgent = (id: string) => definitionOf(context.registry, document.nodes[id]?.type ?? "")?.role === "agent";
  const served = single.flatMap((id) => edgesOf(document.edges, id).outgoing.map((edge) => edge.to.node));
  const agents = Object.keys(document.nodes).filter(isAgent);
  return [...single, ...served.filter(isAgent), ...(agents.length === 1 ? agents : [])];
}

function serves(context: CommandContext, node: NodeRecord): boolean {
  const outputs = Object.values(definitionOf(context.registry, node.type)?.outputs ?? {});
  return outputs.length > 0 && outputs.every((port) => port.kind !== "main");
}

function connectionFor(context: CommandContext, node: NodeRecord, wire: LooseEnd | undefined): Connection | undefined {
  const { document } = context.document.getState();
  if (wire !== undefined) return fitLooseEnd(document, context.registry, wire, node);
  const withNode = { ...document, nodes: { ...document.nodes, [node.id]: node } };
  for (const partner of partners(context, document, node)) {
    const fromNew = findConnection(withNode, context.registry, node.id, partner);
    const intoNew = findConnection(withNode, context.registry, partner, node.id);
    const best = serves(context, node) ? (fromNew ?? intoNew) : (intoNew ?? fromNew);
    if (best !== undefined) return best;
  }
  return undefined;
}

/** Under the lowest service that already shares the port, so that tools stand in one column. */
function columnPlace(context: CommandContext, document: WorkflowDocument, { to }: Connection): Point | undefined {
  const cards = edgesOf(document.edges, to.node)
    .incoming.filter((edge) => edge.to.port === to.port)
    .flatMap((edge) => document.nodes[edge.from.node] ?? []);
  const lowest = cards.toSorted((a, b) => b.position.y - a.position.y)[0];
  if (lowest === undefined) return undefined;
  const { height } = nodeGeometry(definitionOf(context.registry, lowest.type));
  return { x: lowest.position.x, y: lowest.position.y + height + columnGap };
}

function placeFor(
  context: CommandContext,
  node: NodeRecord,
  connection: Connection | undefined,
  wire: LooseEnd | undefined,
): Point {
  const { document } = context.document.getState();
  const size = nodeGeometry(definitionOf(context.registry, node.type));
  const other = connection && (connection.from.node === node.id ? connection.to : connection.from);
  const owner = other && document.nodes[other.node];
  const definition = owner && definitionOf(context.registry, owner.type);
  if (other && owner && definition) {
    const port = portOf(connection.from.node === node.id ? definition.inputs : definition.outputs, other.port);
    if (port) {
      const beside = placeBeside(owner.position, nodeGeometry(definition), port, size);
      const column = columnPlace(context, document, connection);
      const place = freePlace(document, context.registry, column ?? beside, size);
      const room = wire && context.canvas.getState().controls?.roomBesideSettings();
      return room === undefined ? place : placeInRoom(document, context.registry, place, size, room);
    }
  }
  const center = context.canvas.getState().controls?.center() ?? { x: 0, y: 0 };
  const corner = { x: center.x - size.width / 2, y: center.y - size.height / 2 };
  return freePlace(document, context.registry, corner, size);
}

/**
 * Adds a node of a type, connects it where that is allowed and wanted, and selects it. Returns its id, or undefined when
 * the type is unknown.
 */
export function addNode(context: CommandContext, { type, start, position, wire }: AddNodeOptions): string | undefined {
  const definition = definitionOf(context.registry, type);
  if (definition === undefined) return undefined;
  const store = context.document.getState();
  const title = uniqueTitle(store.document, start?.title ?? definition.title);
  const draft = newNode(definition, { id: context.newId(), position: { x: 0, y: 0 }, title, config: start?.config });
  const byClick = position === undefined || wire !== undefined;
  const connection = byClick ? connectionFor(context, draft, wire) : undefined;
  const node = { ...draft, position: position ? snap(position) : placeFor(context, draft, connection, wire) };
  store.edit(`Add ${title}`, (document) => {
    document.nodes[node.id] = node;
    if (connection === undefined) return;
    const id = context.newId();
    document.edges[id] = { id, ...connection };
  });
  if (wire !== undefined) context.canvas.setState({ addedAtPort: node.id });
  context.canvas.getState().select([node.id]);
  return node.id;
}
