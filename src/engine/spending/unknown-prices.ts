import { definitionOf } from "../document/can-connect.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import type { Problem } from "../document/problem.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import { priceOf } from "../model/prices.ts";

/** A model whose price is neither listed nor entered at its node. */
export interface UnknownPrice {
  nodeId: string;
  /** The node's title. */
  title: string;
  model: string;
  /** The fields where its price can be entered. */
  fields: readonly string[];
}

/** The models of a workflow that a spending limit could not count. Nodes that are turned off, serve nobody or are never come to call none. */
export function unknownPrices(document: WorkflowDocument, registry: NodeRegistry): UnknownPrice[] {
  const edges = Object.values(document.edges);
  const serving = new Set(edges.map(({ from }) => from.node));
  const reached = new Set(edges.map(({ to }) => to.node));
  return Object.values(document.nodes).flatMap((node): UnknownPrice[] => {
    const definition = definitionOf(registry, node.type);
    const isUsed = serving.has(node.id) || (definition?.role === "flow" && reached.has(node.id));
    if (node.disabled || !isUsed) return [];
    const called = definition?.calls?.(node.config) ?? [];
    return called
      .filter(({ provider, model, price }) => price === undefined && priceOf(provider, model) === null)
      .map(({ model, fields }) => ({ nodeId: node.id, title: node.title, model, fields }));
  });
}

/** What keeps a run from starting: agents with a cost budget that use a model without a known price. */
export function budgetProblems(
  document: WorkflowDocument,
  registry: NodeRegistry,
  members: ReadonlySet<string>,
): Problem[] {
  const unknown = unknownPrices(document, registry);
  if (unknown.length === 0) return [];
  const found = new Map<string, Problem>();
  for (const agent of Object.values(document.nodes)) {
    if (!members.has(agent.id) || agent.disabled || typeof agent.config["maxCostUsd"] !== "number") continue;
    const serving = servicesOf(agent.id, document, registry);
    for (const one of unknown) if (serving.has(one.nodeId)) found.set(one.nodeId, problemOf(one, agent.title));
  }
  return [...found.values()];
}

/** What keeps a workflow from being published under a limit in money: models without a known price. */
export function limitProblems(document: WorkflowDocument, registry: NodeRegistry): Problem[] {
  return unknownPrices(document, registry).map(({ nodeId, model, fields: [field] }) => ({
    nodeId,
    ...(field === undefined ? {} : { field }),
    severity: "error" as const,
    code: "budget" as const,
    message: `The price of ${model} is not known, so the spending limit could not hold.`,
    hint: "Enter the price on this node (0 for a server of your own), or remove the limit in dollars.",
  }));
}

/** The nodes that serve a node, and those that serve them. */
function servicesOf(nodeId: string, document: WorkflowDocument, registry: NodeRegistry): Set<string> {
  const found = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = document.nodes[id];
    const inputs = node ? definitionOf(registry, node.type)?.inputs : undefined;
    for (const { from, to } of Object.values(document.edges)) {
      if (to.node !== id || found.has(from.node) || inputs?.[to.port]?.kind === "main") continue;
      found.add(from.node);
      open.push(from.node);
    }
  }
  return found;
}

function problemOf({ nodeId, model, fields }: UnknownPrice, agent: string): Problem {
  const [field] = fields;
  return {
    nodeId,
    ...(field === undefined ? {} : { field }),
    severity: "error",
    code: "budget",
    message: `The price of ${model} is not known, so the cost budget of "${agent}" could not hold.`,
    hint: "Enter the price on this node (0 for a server of your own), or clear the cost budget.",
  };
}
