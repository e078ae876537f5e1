import { canConnect, definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { Port, PortKind } from "../../engine/document/ports.ts";
import type { Endpoint, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { edgesOf } from "./edge-index.ts";
import type { Connection } from "./find-connection.ts";
import type { PortDirection } from "./node-geometry.ts";

/** A connection that a node may take, with what it would be called. */
interface OpenConnection extends Connection {
  other: NodeRecord;
  kind: PortKind;
  /** The labels of the port of the node and of the other one. */
  labels: { own: string; other: string };
}

function isFull(document: WorkflowDocument, end: Endpoint, direction: PortDirection, { max }: Port): boolean {
  if (max === null) return false;
  const { incoming, outgoing } = edgesOf(document.edges, end.node);
  const taken =
    direction === "input"
      ? incoming.filter(({ to }) => to.port === end.port)
      : outgoing.filter(({ from }) => from.port === end.port);
  return taken.length >= max;
}

/** Every connection that one port of a node may take. */
export function openConnectionsOf(
  document: WorkflowDocument,
  registry: NodeRegistry,
  nodeId: string,
  port: { name: string; direction: PortDirection },
): OpenConnection[] {
  const own = definitionOf(registry, document.nodes[nodeId]?.type ?? "");
  const ownPort = (port.direction === "output" ? own?.outputs : own?.inputs)?.[port.name];
  if (ownPort === undefined) return [];
  const end = { node: nodeId, port: port.name };
  if (isFull(document, end, port.direction, ownPort)) return [];
  const found: OpenConnection[] = [];
  for (const other of Object.values(document.nodes)) {
    const definition = definitionOf(registry, other.type);
    if (definition === undefined || other.id === nodeId) continue;
    const others = port.direction === "output" ? definition.inputs : definition.outputs;
    for (const [name, otherPort] of Object.entries(others)) {
      // The rule looks at the whole graph, so what cannot fit is left out before.
      const otherEnd = { node: other.id, port: name };
      const direction = port.direction === "output" ? "input" : "output";
      if (otherPort.kind !== ownPort.kind || isFull(document, otherEnd, direction, otherPort)) continue;
      const [from, to] = port.direction === "output" ? [end, otherEnd] : [otherEnd, end];
      if (!canConnect(document, registry, from, to).ok) continue;
      found.push({ from, to, other, kind: ownPort.kind, labels: { own: ownPort.label, other: otherPort.label } });
    }
  }
  return found;
}

/** Every connection that a node may take, in both directions: its outputs first. */
export function openConnections(document: WorkflowDocument, registry: NodeRegistry, nodeId: string): OpenConnection[] {
  const own = definitionOf(registry, document.nodes[nodeId]?.type ?? "");
  if (own === undefined) return [];
  const ports = [
    ...Object.keys(own.outputs).map((name) => ({ name, direction: "output" as const })),
    ...Object.keys(own.inputs).map((name) => ({ name, direction: "input" as const })),
  ];
  return ports.flatMap((port) => openConnectionsOf(document, registry, nodeId, port));
}
