import type { AnyNodeDefinition, NodeRegistry } from "./define-node.ts";
import type { Port } from "./ports.ts";
import type { EdgeRecord, Endpoint, WorkflowDocument } from "./workflow-document.ts";

/** Whether two ports may be connected; `reason` is a sentence for the user. */
export type ConnectResult = { ok: true } | { ok: false; reason: string };

/** How deep agents may serve as tools of agents. */
export const maxAgentDepth = 5;

const connected: ConnectResult = { ok: true };

function refuse(reason: string): ConnectResult {
  return { ok: false, reason };
}

/** A port's own record, or undefined: names such as `constructor` are no ports. */
export function portOf(ports: Readonly<Record<string, Port>>, name: string): Port | undefined {
  return Object.hasOwn(ports, name) ? ports[name] : undefined;
}

/** A node type's definition, or undefined when the registry lacks it. */
export function definitionOf(registry: NodeRegistry, type: string): AnyNodeDefinition | undefined {
  return Object.hasOwn(registry, type) ? registry[type] : undefined;
}

/** The kind of what an edge carries, from its output port; undefined while type or port are unknown. */
export function edgeKind(
  document: WorkflowDocument,
  registry: NodeRegistry,
  edge: EdgeRecord,
): Port["kind"] | undefined {
  const node = document.nodes[edge.from.node];
  const definition = node && definitionOf(registry, node.type);
  return definition && portOf(definition.outputs, edge.from.port)?.kind;
}

const kindWords = { main: "the main flow", model: "a model", memory: "a memory", tool: "a tool" } as const;

/**
 * Whether the two ends fit by themselves: known nodes and ports, from an output to an input, equal kinds, not the same
 * node. Counts, duplicates and cycles are judged by `canConnect` and `validateWorkflow`.
 */
export function endsFit(
  document: WorkflowDocument,
  registry: NodeRegistry,
  from: Endpoint,
  to: Endpoint,
): { ok: true; output: Port; input: Port } | { ok: false; reason: string } {
  const source = document.nodes[from.node];
  const target = document.nodes[to.node];
  if (!source || !target) return { ok: false, reason: "The connection leads to a node that does not exist." };
  if (from.node === to.node) return { ok: false, reason: "A node cannot be connected to itself." };
  const sourceType = definitionOf(registry, source.type);
  const targetType = definitionOf(registry, target.type);
  if (!sourceType || !targetType) {
    const unknown = sourceType ? target : source;
    return {
      ok: false,
      reason: `"${unknown.title}" is of the unknown type "${unknown.type}" and cannot be connected.`,
    };
  }
  const output = portOf(sourceType.outputs, from.port);
  if (!output) return { ok: false, reason: `"${source.title}" has no output named "${from.port}".` };
  const input = portOf(targetType.inputs, to.port);
  if (!input) return { ok: false, reason: `"${target.title}" has no input named "${to.port}".` };
  if (output.kind !== input.kind) {
    return {
      ok: false,
      reason: `This output is ${kindWords[output.kind]}, but the input "${input.label}" takes ${kindWords[input.kind]}.`,
    };
  }
  return { ok: true, output, input };
}

/** Why a full input takes no further edge, for the user. */
export function fullReason(title: string, input: Port): string {
  if (input.kind === "main") return `"${title}" already has an input. Join several with a merge node.`;
  const noun = input.label.toLowerCase();
  return `"${title}" already has a ${noun}. Remove it first.`;
}

/** Whether `goal` can be reached from `start` along edges of the main flow, or along those between services and users. */
function reaches(
  document: WorkflowDocument,
  registry: NodeRegistry,
  start: string,
  goal: string,
  flow: "main" | "service",
): boolean {
  const next = new Map<string, string[]>();
  for (const edge of Object.values(document.edges)) {
    const kind = edgeKind(document, registry, edge);
    if (kind === undefined || (kind === "main") !== (flow === "main")) continue;
    const list = next.get(edge.from.node);
    if (list) list.push(edge.to.node);
    else next.set(edge.from.node, [edge.to.node]);
  }
  const seen = new Set([start]);
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === goal) return true;
    for (const following of next.get(id) ?? []) {
      if (seen.has(following)) continue;
      seen.add(following);
      open.push(following);
    }
  }
  return false;
}

/**
 * The one rule for new edges, shared by canvas, validation and engine: known ports, equal kinds, room at both ends, no
 * edge twice, no edge to itself, no cycle on main, no agent that ends up as its own tool. Never throws; the reason can
 * be shown as it is. Edges already in the document are taken as given.
 */
export function canConnect(
  document: WorkflowDocument,
  registry: NodeRegistry,
  from: Endpoint,
  to: Endpoint,
): ConnectResult {
  const ends = endsFit(document, registry, from, to);
  if (!ends.ok) return ends;
  let leaving = 0;
  let arriving = 0;
  for (const edge of Object.values(document.edges)) {
    const sameFrom = edge.from.node === from.node && edge.from.port === from.port;
    const sameTo = edge.to.node === to.node && edge.to.port === to.port;
    if (sameFrom && sameTo) return refuse("These two are already connected.");
    if (sameFrom) leaving += 1;
    if (sameTo) arriving += 1;
  }
  const { output, input } = ends;
  const sourceTitle = document.nodes[from.node]?.title ?? from.node;
  const targetTitle = document.nodes[to.node]?.title ?? to.node;
  if (input.max !== null && arriving >= input.max) return refuse(fullReason(targetTitle, input));
  if (output.max !== null && leaving >= output.max) {
    return refuse(`"${sourceTitle}" is already connected. Remove that connection first.`);
  }
  if (output.kind === "main") {
    if (reaches(document, registry, to.node, from.node, "main")) {
      return refuse(
        `This would make a loop: "${targetTitle}" already leads to "${sourceTitle}". Use a For each or a Repeat until node.`,
      );
    }
  } else if (reaches(document, registry, to.node, from.node, "service")) {
    return refuse(`This would make "${targetTitle}" a tool of itself: "${sourceTitle}" already uses it.`);
  }
  return connected;
}
