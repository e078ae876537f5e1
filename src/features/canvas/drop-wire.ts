import { canConnect, definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { PortKind } from "../../engine/document/ports.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { type Connection, fitLooseEnd, type LooseEnd } from "../../state/editing/find-connection.ts";

/** A graph that a wire is being drawn in; one that was pulled off a port is no part of it. */
export interface WireScene {
  document: WorkflowDocument;
  registry: NodeRegistry;
}

/** The kind of the port at an end of a wire. */
export function kindOf({ document, registry }: WireScene, { endpoint, direction }: LooseEnd): PortKind | undefined {
  const node = document.nodes[endpoint.node];
  const definition = node && definitionOf(registry, node.type);
  const ports = direction === "from" ? definition?.outputs : definition?.inputs;
  return ports && portOf(ports, endpoint.port)?.kind;
}

/** Why the ends of an unfinished connection do not go together, or undefined when they do. */
export function refusalReason({ document, registry }: WireScene, start: LooseEnd, end: LooseEnd): string | undefined {
  if (start.direction === end.direction) {
    return start.direction === "from" ? "Two outputs cannot be joined." : "Two inputs cannot be joined.";
  }
  const [from, to] = start.direction === "from" ? [start, end] : [end, start];
  const verdict = canConnect(document, registry, from.endpoint, to.endpoint);
  return verdict.ok ? undefined : verdict.reason;
}

/** What a wire means that is released on a card instead of a port: its first port that fits, or why there is none. */
export function dropOnNode(scene: WireScene, wire: LooseEnd, nodeId: string): Connection | string | undefined {
  const { document, registry } = scene;
  const node = document.nodes[nodeId];
  if (node === undefined || nodeId === wire.endpoint.node) return undefined;
  const connection = fitLooseEnd(document, registry, wire, node);
  if (connection !== undefined) return connection;
  const definition = definitionOf(registry, node.type);
  const ports = Object.keys((wire.direction === "from" ? definition?.inputs : definition?.outputs) ?? {});
  const direction = wire.direction === "from" ? ("to" as const) : ("from" as const);
  const ends = ports.map((port) => ({ endpoint: { node: nodeId, port }, direction }));
  const kind = kindOf(scene, wire);
  const sameKind = ends.find((end) => kindOf(scene, end) === kind);
  const reason = sameKind && refusalReason(scene, wire, sameKind);
  const noun = wire.direction === "from" ? "input" : "output";
  return reason ?? `"${node.title}" has no ${kind ?? "fitting"} ${noun}.`;
}
