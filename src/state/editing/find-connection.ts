import { canConnect, definitionOf } from "../../engine/document/can-connect.ts";
import { type AnyNodeDefinition, type NodeRegistry, offeredTypes } from "../../engine/document/define-node.ts";
import type { Endpoint, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { probeNode } from "./probe-node.ts";

export interface Connection {
  from: Endpoint;
  to: Endpoint;
}

/** An end of a wire that is being drawn: at an output (`from`) or at an input (`to`). */
export interface LooseEnd {
  endpoint: Endpoint;
  direction: "from" | "to";
}

/** The first connection that leads out of one node into another and is allowed, or undefined. */
export function findConnection(
  document: WorkflowDocument,
  registry: NodeRegistry,
  fromNode: string,
  toNode: string,
): Connection | undefined {
  const source = document.nodes[fromNode];
  const target = document.nodes[toNode];
  if (source === undefined || target === undefined) return undefined;
  const outputs = Object.keys(definitionOf(registry, source.type)?.outputs ?? {});
  const inputs = Object.keys(definitionOf(registry, target.type)?.inputs ?? {});
  for (const output of outputs) {
    for (const input of inputs) {
      const connection = { from: { node: fromNode, port: output }, to: { node: toNode, port: input } };
      if (canConnect(document, registry, connection.from, connection.to).ok) return connection;
    }
  }
  return undefined;
}

/** How a node that is not yet in the document would connect to a loose end, or undefined when it does not fit. */
export function fitLooseEnd(
  document: WorkflowDocument,
  registry: NodeRegistry,
  end: LooseEnd,
  node: NodeRecord,
): Connection | undefined {
  const definition = definitionOf(registry, node.type);
  if (definition === undefined) return undefined;
  const withNode = { ...document, nodes: { ...document.nodes, [node.id]: node } };
  const ports = Object.keys(end.direction === "from" ? definition.inputs : definition.outputs);
  for (const port of ports) {
    const other = { node: node.id, port };
    const connection = end.direction === "from" ? { from: end.endpoint, to: other } : { from: other, to: end.endpoint };
    if (canConnect(withNode, registry, connection.from, connection.to).ok) return connection;
  }
  return undefined;
}

/** The node types on offer that fit a loose end, in the registry's order. */
export function typesThatFit(document: WorkflowDocument, registry: NodeRegistry, end: LooseEnd): AnyNodeDefinition[] {
  return offeredTypes(registry).filter(
    (definition) => fitLooseEnd(document, registry, end, probeNode(definition)) !== undefined,
  );
}
