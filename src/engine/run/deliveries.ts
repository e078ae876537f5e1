import type { EdgeRecord } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import type { FlowOptions, FlowView } from "./flow-view.ts";
import type { MainLink, NodePlan } from "./run-plan.ts";

/** A node whose inputs have arrived. */
interface ReadyNode {
  plan: NodePlan;
  values: readonly (Json | undefined)[];
}

/** Tracks what has arrived at the nodes of one flow and which of them can start; each starts at most once. */
export class Deliveries {
  private readonly flow: Pick<FlowView, "shared" | "outputOf" | "emit">;
  private readonly options: Pick<FlowOptions, "members" | "entryEdges">;
  private readonly arrivals = new Map<string, Arrival>();
  private ready: ReadyNode[] = [];
  private read = 0;

  constructor(flow: Deliveries["flow"], options: Deliveries["options"]) {
    this.flow = flow;
    this.options = options;
  }

  /** The next node to start, in the order in which nodes became ready. */
  next(): ReadyNode | undefined {
    const next = this.ready[this.read];
    if (next) this.read += 1;
    else {
      this.ready = [];
      this.read = 0;
    }
    return next;
  }

  /** Makes a node ready with a value from outside. */
  start(plan: NodePlan, value: Json): void {
    this.arrivalOf(plan).started = true;
    this.ready.push({ plan, values: [value] });
  }

  /** Delivers a value over an edge. */
  deliver({ target, slot }: MainLink, value: Json): void {
    const arrival = this.arrivalOf(target);
    arrival.open -= 1;
    arrival.live += 1;
    if (arrival.started) return;
    arrival.values[slot] = value;
    if (arrival.open === 0 || target.definition.startsWhen?.(target.node.config) === "first") {
      arrival.started = true;
      this.ready.push({ plan: target, values: arrival.values });
    }
  }

  /** Settles edges without a value. A node whose every input was skipped is skipped itself, and so on. */
  skip(links: MainLink[], source: NodePlan): void {
    const reason = `"${source.node.title}" took another branch.`;
    for (let link = links.pop(); link; link = links.pop()) {
      const { target } = link;
      if (!this.options.members.has(target.id)) continue;
      const arrival = this.arrivalOf(target);
      arrival.open -= 1;
      if (arrival.started || arrival.open > 0) continue;
      arrival.started = true;
      if (arrival.live > 0) {
        this.ready.push({ plan: target, values: arrival.values });
        continue;
      }
      this.flow.emit({ type: "node-skip", nodeId: target.id, reason });
      this.skipBranch(target, reason);
      links.push(...target.mainOut);
    }
  }

  /** Marks the branch of a for-each as skipped. */
  skipBranch(plan: NodePlan, reason: string): void {
    const { branchMembers, nodes } = this.flow.shared.plan;
    for (const id of branchMembers.get(plan.id) ?? []) {
      this.flow.emit({ type: "node-skip", nodeId: id, reason });
      const inner = nodes.get(id);
      if (inner) this.skipBranch(inner, reason);
    }
  }

  private arrivalOf(plan: NodePlan): Arrival {
    let arrival = this.arrivals.get(plan.id);
    if (!arrival) {
      const { members, entryEdges } = this.options;
      arrival = newArrival(
        plan,
        (edge) => members.has(edge.from.node) || entryEdges?.has(edge.id) === true,
        (id) => this.flow.outputOf(id),
      );
      this.arrivals.set(plan.id, arrival);
    }
    return arrival;
  }
}

/** Which of a node's main inputs have arrived. */
interface Arrival {
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
function newArrival(
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
