import type { Json, JsonObject } from "../json.ts";
import { joinTaint, noTaint, type Taint } from "../trust/taint.ts";
import type { NodePlan } from "./run-plan.ts";

/** Collects what a flow gives: the outputs of the nodes after which nothing came. */
export class FlowOutput {
  private readonly last = new Map<NodePlan, Json>();
  private untrusted = noTaint;

  /** A node that handed nothing on. One whose outputs all stayed silent gives nothing. */
  add(plan: NodePlan, fired: ReadonlyMap<string, Json>, taint: Taint): void {
    const values = [...fired];
    const [first] = values;
    if (!first) return;
    this.untrusted = joinTaint(this.untrusted, taint);
    this.last.set(plan, values.length === 1 ? first[1] : Object.fromEntries(values));
  }

  /** Where untrusted content in the output came from. */
  taint(): Taint {
    return this.untrusted;
  }

  /** One node's value as it is; several as a record by slug; null for none. */
  value(): Json {
    const values = [...this.last];
    const [first] = values;
    if (!first) return null;
    if (values.length === 1) return first[1];
    const record: JsonObject = {};
    for (const [plan, value] of values) record[plan.slug] = value;
    return record;
  }
}
