import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { RunError } from "../errors.ts";
import type { FlowView } from "./flow-view.ts";
import type { NodePlan } from "./run-plan.ts";

/** What the log shows as a node's input: its value, or the list of all that arrived at a joining node. */
export function inputOf(plan: NodePlan, values: readonly (Json | undefined)[], json: Json): Json {
  return plan.mainIn.length > 1 ? values.filter((value) => value !== undefined) : json;
}

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

/** The outputs that fired with their values, in the definition's order. */
export function firedPorts(plan: NodePlan, result: unknown): Map<string, Json> {
  const fired = new Map<string, Json>();
  const { outputs } = plan.definition;
  const names = Object.keys(outputs);
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    if (outputs[only]?.kind === "main") fired.set(only, asJson(result));
    return fired;
  }
  if (!isJsonObject(result)) return fired;
  for (const port of plan.mainPorts) {
    const value = Object.hasOwn(result, port) ? result[port] : undefined;
    if (value !== undefined) fired.set(port, value);
  }
  return fired;
}

/** The same from a stored output (a pinned one), as `outputOf` gives it. */
export function firedByOutput(plan: NodePlan, output: Json): Map<string, Json> {
  const [only] = plan.mainPorts;
  if (plan.mainPorts.length === 1 && only !== undefined) return new Map([[only, output]]);
  const fired = new Map<string, Json>();
  if (!isJsonObject(output)) return fired;
  for (const port of plan.mainPorts) {
    const value = Object.hasOwn(output, port) ? output[port] : undefined;
    if (value !== undefined) fired.set(port, value);
  }
  return fired;
}

/** A node's output for log and templates: one value, or a record by port where a node has several main outputs. */
export function outputOf(plan: NodePlan, fired: ReadonlyMap<string, Json>): Json {
  const [only] = plan.mainPorts;
  if (plan.mainPorts.length === 1 && only !== undefined) return fired.get(only) ?? null;
  const record: JsonObject = Object.fromEntries(fired);
  return record;
}

/** Nodes are typed to give JSON; nothing at all counts as null. */
function asJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value) || isJsonObject(value)) return value;
  throw new RunError({
    code: "internal",
    message: `The node returned a ${typeof value}, which JSON cannot hold.`,
    hint: "Report it with the run's log.",
  });
}
