import { exposureOf } from "../document/exposure.ts";
import { ancestorsOf, type NodePlan, type RunPlan } from "../run/run-plan.ts";
import { noTaint, sourceNamed, type Taint } from "./taint.ts";

/** Whether a node itself reads from outside, by what its settings say. */
export function readsOutside({ node, definition }: NodePlan): boolean {
  return node.disabled !== true && exposureOf(definition, node.config).includes("untrusted-input");
}

/** A node as a source. */
export function sourceOfNode({ node }: NodePlan): string {
  return sourceNamed(`"${node.title}"`);
}

/**
 * What the graph says of a node that is not known to have run, such as one whose output was pinned or recorded: it reads
 * from outside, or it is an agent with a tool that does. What did run says itself what it read.
 */
export function bringsUntrusted(plan: RunPlan, node: NodePlan, seen = new Set<string>()): boolean {
  if (node.node.disabled === true || seen.has(node.id)) return false;
  seen.add(node.id);
  if (readsOutside(node)) return true;
  return node.services.some((edge) => {
    const service = plan.nodes.get(edge.from.node);
    return service !== undefined && bringsUntrusted(plan, service, seen);
  });
}

/** The same for a node and all that lead to it on main; for-each branches that end in one of them included. */
export function outsideUpTo(plan: RunPlan, id: string): Taint {
  const found: string[] = [];
  for (const ancestor of ancestorsOf(plan, id)) {
    const before = plan.nodes.get(ancestor);
    if (!before) continue;
    const inside = [...(plan.branchMembers.get(ancestor) ?? [])].flatMap((inner) => plan.nodes.get(inner) ?? []);
    for (const each of [before, ...inside]) if (bringsUntrusted(plan, each)) found.push(sourceOfNode(each));
  }
  return found.length === 0 ? noTaint : found;
}
