import type { Json } from "../json.ts";
import { inputOf } from "./fired-ports.ts";
import type { FlowView } from "./flow-view.ts";
import type { NodePlan } from "./run-plan.ts";

/** A node's main input: the first value that arrived. */
export function firstOf(values: readonly (Json | undefined)[]): Json {
  return values.find((value) => value !== undefined) ?? null;
}

/** Undefined when the node may start; else resolves to its values once it may, edited or not. Rejects when the run stops. */
export function holdNode(
  flow: FlowView,
  plan: NodePlan,
  values: readonly (Json | undefined)[],
): Promise<readonly (Json | undefined)[]> | undefined {
  const input = () => inputOf(plan, values, firstOf(values));
  const place = { kind: "node", nodeId: plan.id, atNodeId: plan.id, input } as const;
  const held = flow.shared.pauser.hold(place, { emit: (event) => void flow.emit(event), signal: flow.signal });
  return held?.then((given) => {
    if (given.input === undefined) return values;
    // A joining node shows all that arrived as one list.
    return plan.mainIn.length > 1 && Array.isArray(given.input) ? given.input : [given.input];
  });
}
