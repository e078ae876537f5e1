import { ancestorsOf, type NodePlan, type RunPlan } from "./run-plan.ts";

/** Whether what a node gives may hold texts of strangers: it reads from outside, or an agent with a tool that does. */
export function bringsUntrusted(plan: RunPlan, node: NodePlan, seen = new Set<string>()): boolean {
  if (node.node.disabled === true || seen.has(node.id)) return false;
  seen.add(node.id);
  if (node.definition.exposure?.(node.node.config).includes("untrusted-input") === true) return true;
  return node.services.some((edge) => {
    const service = plan.nodes.get(edge.from.node);
    return service !== undefined && bringsUntrusted(plan, service, seen);
  });
}

/** Whether something that leads to a node on main brings in texts of strangers. */
export function hasUntrustedInput(plan: RunPlan, node: NodePlan): boolean {
  for (const id of ancestorsOf(plan, node.id)) {
    const before = id === node.id ? undefined : plan.nodes.get(id);
    if (before && bringsUntrusted(plan, before)) return true;
  }
  return false;
}
