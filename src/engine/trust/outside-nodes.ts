import { exposureOf } from "../document/exposure.ts";
import { ancestorsOf, type NodePlan, type RunPlan } from "../run/run-plan.ts";
import { noTaint, sourceNamed, type Taint } from "./taint.ts";

/** Whether a node reads nothing from outside but what callers send whom the owner trusts. */
export function readsTrustedCallers({ callersTrusted }: RunPlan, { definition: { reach } }: NodePlan): boolean {
  return callersTrusted === true && reach.length > 0 && reach.every(({ to }) => to === "callers");
}

/** Whether a node itself reads from outside, by what its settings say. */
export function readsOutside(plan: RunPlan, each: NodePlan): boolean {
  const { node, definition } = each;
  if (node.disabled === true || readsTrustedCallers(plan, each)) return false;
  return exposureOf(definition, node.config).includes("untrusted-input");
}

/** A node as a source. */
export function sourceOfNode({ node }: NodePlan): string {
  return sourceNamed(`"${node.title}"`);
}

/**
 * What the graph says of a node that is not known to have run, such as one whose output was pinned or recorded: it reads
 * from outside, its pin is marked, or it is an agent with a tool that does. What did run says itself what it read.
 */
export function bringsUntrusted(plan: RunPlan, node: NodePlan, seen = new Set<string>()): boolean {
  if (node.node.disabled === true || seen.has(node.id)) return false;
  seen.add(node.id);
  if (readsOutside(plan, node) || node.node.pin?.untrusted === true) return true;
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
