import { definitionOf, portOf } from "./can-connect.ts";
import type { NodeRegistry } from "./define-node.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/** Which edges: those of the main flow, or those from services to the nodes that use them. */
type FlowKind = "main" | "service";

function followers(document: WorkflowDocument, registry: NodeRegistry, flow: FlowKind): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const edge of Object.values(document.edges)) {
    const source = document.nodes[edge.from.node];
    const definition = source && definitionOf(registry, source.type);
    const kind = definition && portOf(definition.outputs, edge.from.port)?.kind;
    if (kind === undefined || (kind === "main") !== (flow === "main")) continue;
    const list = next.get(edge.from.node);
    if (list) list.push(edge.to.node);
    else next.set(edge.from.node, [edge.to.node]);
  }
  return next;
}

/** The nodes of one cycle in order, or an empty list. Linear in the document; does not recurse. */
export function findCycle(document: WorkflowDocument, registry: NodeRegistry, flow: FlowKind): string[] {
  const next = followers(document, registry, flow);
  const done = new Set<string>();
  for (const start of next.keys()) {
    if (done.has(start)) continue;
    const trail: { id: string; following: string[]; at: number }[] = [
      { id: start, following: next.get(start) ?? [], at: 0 },
    ];
    const onTrail = new Set([start]);
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const following = top.following[top.at];
      top.at += 1;
      if (following === undefined) {
        done.add(top.id);
        onTrail.delete(top.id);
        trail.pop();
      } else if (onTrail.has(following)) {
        const ids = trail.map((step) => step.id);
        return ids.slice(ids.indexOf(following));
      } else if (!done.has(following)) {
        onTrail.add(following);
        trail.push({ id: following, following: next.get(following) ?? [], at: 0 });
      }
    }
  }
  return [];
}

/**
 * How many levels of agents serve below each agent that no agent uses in turn; 0 when it has only plain tools. Empty
 * while the services form a cycle.
 */
export function serviceDepths(document: WorkflowDocument, registry: NodeRegistry): Map<string, number> {
  const depths = new Map<string, number>();
  if (findCycle(document, registry, "service").length > 0) return depths;
  const next = followers(document, registry, "service");
  const below = new Map<string, string[]>();
  for (const [id, users] of next) {
    const type = document.nodes[id]?.type;
    if (type === undefined || definitionOf(registry, type)?.role !== "agent") continue;
    for (const user of users) below.set(user, [...(below.get(user) ?? []), id]);
  }
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    let depth = 0;
    for (const agent of below.get(id) ?? []) depth = Math.max(depth, depthOf(agent) + 1);
    depths.set(id, depth);
    return depth;
  };
  for (const id of below.keys()) depthOf(id);
  for (const id of depths.keys()) if (next.has(id)) depths.delete(id);
  return depths;
}
