import type { Json, JsonObject } from "../json.ts";
import type { TemplateScope } from "../template/scope.ts";
import type { FlowView } from "./flow-view.ts";
import type { NodePlan } from "./run-plan.ts";

const ownNames = ["json", "nodes", "workflow", "run", "now", "vars"] as const;

/**
 * What a node's templates see: its input, the outputs of nodes before it (by slug), the workflow, the run, the time and
 * the workflow's variables. Outputs of parallel branches are not visible, so that nothing depends on who was faster.
 */
export class NodeScope implements TemplateScope {
  private readonly flow: FlowView;
  private readonly plan: NodePlan;
  private readonly json: Json;

  constructor(flow: FlowView, plan: NodePlan, json: Json) {
    this.flow = flow;
    this.plan = plan;
    this.json = json;
  }

  get(name: string): Json | Date | undefined {
    const { shared } = this.flow;
    switch (name) {
      case "json":
        return this.json;
      case "now":
        return new Date(shared.host.now());
      case "workflow":
        return { id: shared.document.id, name: shared.document.name };
      case "run":
        return { id: shared.runId, depth: shared.depth };
      case "vars":
        return shared.vars;
      case "nodes":
        return this.allOutputs();
      default:
        return this.outputOf(name);
    }
  }

  names(): string[] {
    return [...ownNames, ...Object.keys(this.allOutputs())];
  }

  clock(): number {
    return this.flow.shared.host.now();
  }

  private outputOf(slug: string): Json | undefined {
    const source = this.flow.shared.plan.bySlug.get(slug);
    if (!source) return undefined;
    const output = this.flow.outputOf(source.id);
    return output !== undefined && this.comesAfter(source.id) ? output : undefined;
  }

  private allOutputs(): JsonObject {
    const outputs: JsonObject = {};
    for (const id of this.before()) {
      const output = this.flow.outputOf(id);
      const slug = this.flow.shared.plan.nodes.get(id)?.slug;
      if (output !== undefined && slug !== undefined) outputs[slug] = output;
    }
    return outputs;
  }

  /** Whether the node stands before this one; looks at the nearest first. */
  private comesAfter(id: string): boolean {
    for (const before of this.before()) if (before === id) return true;
    return false;
  }

  private *before(): Generator<string> {
    const seen = new Set([this.plan.id]);
    const open = [this.plan];
    for (const plan of open) {
      for (const edge of plan.mainIn) {
        if (seen.has(edge.from.node)) continue;
        seen.add(edge.from.node);
        yield edge.from.node;
        const next = this.flow.shared.plan.nodes.get(edge.from.node);
        if (next) open.push(next);
      }
    }
  }
}
