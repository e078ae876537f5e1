import type { Json } from "../json.ts";
import type { NodePlan, RunPlan } from "../run/run-plan.ts";
import { bringsUntrusted, outsideUpTo, readsOutside, readsTrustedCallers, sourceOfNode } from "./outside-nodes.ts";
import { joinTaint, noTaint, type Taint } from "./taint.ts";

/**
 * What the values of one flow carry from outside: the one place that knows. A node's output carries what its input
 * carries and what the node itself read; a for-each's output also what its branch read, and a
 * repeat hands that on to its next turn.
 */
export class FlowTaint {
  private readonly plan: RunPlan;
  private readonly parent: FlowTaint | undefined;
  private readonly inputs = new Map<string, Taint>();
  private readonly outputs = new Map<string, Taint>();
  private readonly read = new Map<string, Taint>();

  constructor(plan: RunPlan, parent?: FlowTaint) {
    this.plan = plan;
    this.parent = parent;
  }

  /** A node starts at which a value came in from outside the flow. What leads to it in the graph counts as read. */
  enter(node: NodePlan, value: Taint): void {
    this.inputs.set(node.id, joinTaint(value, ...node.mainIn.map((edge) => outsideUpTo(this.plan, edge.from.node))));
  }

  /** A node starts with the values that arrived over its main edges. */
  arrive(node: NodePlan, values: readonly (Json | undefined)[]): void {
    if (this.inputs.has(node.id)) return;
    const first = node.definition.startsWhen?.(node.node.config) === "first";
    let taint = noTaint;
    for (const [slot, edge] of node.mainIn.entries()) {
      // A branch that has not come yet may still be read by name once it has.
      if (values[slot] === undefined && !first) continue;
      const known = values[slot] === undefined ? undefined : this.known(edge.from.node);
      taint = joinTaint(taint, known ?? outsideUpTo(this.plan, edge.from.node));
    }
    this.inputs.set(node.id, taint);
  }

  /** A running node has read something from outside. */
  add(node: NodePlan, sources: Taint): void {
    if (readsTrustedCallers(this.plan, node)) return;
    if (sources.length > 0) this.read.set(node.id, joinTaint(this.read.get(node.id) ?? noTaint, sources));
  }

  /** What a node's main input carries; that of the flow around where the node is not part of this one. */
  inputOf(node: NodePlan): Taint {
    return this.inputs.get(node.id) ?? this.parent?.inputOf(node) ?? outsideUpTo(this.plan, node.id);
  }

  /** A node has ended: what its output carries. One that was not run here carries what the graph says. */
  finish(node: NodePlan, how: "ran" | "given"): Taint {
    const input = this.inputs.get(node.id) ?? noTaint;
    const read = this.read.get(node.id) ?? noTaint;
    const outside = how === "ran" ? readsOutside(this.plan, node) : bringsUntrusted(this.plan, node);
    const own = read.length === 0 && outside ? [sourceOfNode(node)] : read;
    const output = joinTaint(input, own);
    this.outputs.set(node.id, output);
    return output;
  }

  /** Everything that is in the flow; for an error, which may quote any of it. */
  all(): Taint {
    return joinTaint(...this.inputs.values(), ...this.read.values(), ...this.outputs.values());
  }

  private known(id: string): Taint | undefined {
    const ended = this.outputs.get(id);
    const input = this.inputs.get(id);
    if (ended || !input) return ended ?? this.parent?.known(id);
    // Still running: a turn of its branch gets what the last one gave, and so what that one read.
    const handsOn = this.plan.nodes.get(id)?.definition.handsOn === true;
    return handsOn ? joinTaint(input, this.read.get(id) ?? noTaint) : input;
  }
}
