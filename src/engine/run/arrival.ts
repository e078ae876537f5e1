import type { EdgeRecord } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import type { NodePlan } from "./run-plan.ts";

/** Which of a node's main inputs have arrived. */
export interface Arrival {
  values: (Json | undefined)[];
  /** Edges that have neither delivered a value nor been skipped. */
  open: number;
  live: number;
  started: boolean;
}

/**
 * A node before anything arrived. Edges from inside the flow are open; those from outside bring the value of a node
 * that is pinned or finished around it, or count as skipped.
 */
export function newArrival(
  plan: NodePlan,
  isInside: (edge: EdgeRecord) => boolean,
  outputOf: (id: string) => Json | undefined,
): Arrival {
  const arrival: Arrival = { values: [], open: 0, live: 0, started: false };
  for (const [slot, edge] of plan.mainIn.entries()) {
    if (isInside(edge)) {
      arrival.open += 1;
      continue;
    }
    const outside = outputOf(edge.from.node);
    if (outside === undefined) continue;
    arrival.values[slot] = outside;
    arrival.live += 1;
  }
  return arrival;
}
