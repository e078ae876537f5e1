import { checkedNodes } from "../document/checked-nodes.ts";
import type { NodeRegistry } from "../document/define-node.ts";
import type { Exposure } from "../document/exposure.ts";
import type { CheckedNode } from "../document/problem.ts";
import { triggersOf } from "../document/triggers.ts";
import { approvalOf, exposuresOf, servicesOf } from "../document/validate-exposure.ts";
import type { NodeRecord, WorkflowDocument } from "../document/workflow-document.ts";
import { planRun, reachableFrom } from "../run/run-plan.ts";
import type { DoorKind } from "../trust/run-sources.ts";

/** Three nodes that let a stranger get private data out: what takes the stranger's words, what reads the data, what sends it. */
export interface ExposedPath {
  trigger: NodeRecord;
  privateData: NodeRecord;
  wayOut: NodeRecord;
}

/** The triggers that callers of a door can start. Programs choose among all by their input. */
function triggersBehind(door: DoorKind, document: WorkflowDocument, registry: NodeRegistry): NodeRecord[] {
  const own = { chat: ["message"], hook: ["request"] } as const;
  const all = ["message", "request", "hand", "schedule"] as const;
  const starts = door === "chat" || door === "hook" ? own[door] : all;
  return starts.flatMap((startedBy) => triggersOf(document, registry, startedBy));
}

/**
 * Where callers of a door meet private data and a way out, at one node or at nodes that follow one another with no person in
 * between: the first such path of each trigger. By the same exposure of nodes that warns on the canvas about one agent.
 */
export function exposedPaths(document: WorkflowDocument, registry: NodeRegistry, door: DoorKind): ExposedPath[] {
  const known = checkedNodes(document, registry);
  const plan = planRun(document, registry);
  const reachedFrom = (id: string, options: { unseen?: boolean } = {}): CheckedNode[] => {
    const start = plan.nodes.get(id);
    const ids = start ? [...reachableFrom([start], { heedStops: true, heedAgreements: options.unseen === true })] : [];
    return ids.flatMap((reached) => known.get(reached) ?? []);
  };
  /** The node itself and what serves it, as far as they expose to this. */
  const exposing = (step: CheckedNode, exposure: Exposure): NodeRecord[] =>
    [step, ...servicesOf(step, known)].flatMap((each) =>
      each.node.disabled !== true && exposuresOf(each).includes(exposure) ? [each.node] : [],
    );

  return triggersBehind(door, document, registry).flatMap((trigger) => {
    for (const step of reachedFrom(trigger.id)) {
      const [privateData] = exposing(step, "private-data");
      if (!privateData) continue;
      const [wayOut] = reachedFrom(step.node.id, { unseen: true }).flatMap((later) => exposing(later, "way-out"));
      if (wayOut) return [{ trigger, privateData, wayOut }];
    }
    return [];
  });
}

/** The tools that ask a person once callers of a door count as strangers. */
export function toolsThatAsk(document: WorkflowDocument, registry: NodeRegistry): NodeRecord[] {
  const known = checkedNodes(document, registry);
  const used = new Set([...known.values()].flatMap((step) => (step.node.disabled ? [] : [...servicesOf(step, known)])));
  return [...used].flatMap((tool) => (approvalOf(tool) === "ask-after-untrusted" ? [tool.node] : []));
}
