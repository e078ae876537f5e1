import type { Wired } from "../document/define-node.ts";
import { portOf } from "../document/can-connect.ts";
import type { EdgeRecord } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";
import type { FlowView } from "./flow-view.ts";
import { NodeContext, type NodeUse } from "./node-context.ts";
import type { NodePlan } from "./run-plan.ts";
import { bringsUntrusted } from "../trust/outside-nodes.ts";

/** A node's inputs by port: the main values that arrived, and the services wired to it. */
export type NodeInputs = Record<string, unknown>;

/** The services of a node, made for this one use of it: `json` is the main input of the node of the main flow. */
interface ServiceRequest {
  flow: FlowView;
  consumer: NodePlan;
  main: NodePlan;
  json: Json;
}

/**
 * The inputs of a node. Gives them at once when no service needs time, since most nodes have none. A service that
 * fails makes the whole node fail, with an error that names the service.
 */
export function gatherInputs(
  request: ServiceRequest,
  mainValues: readonly (Json | undefined)[],
): NodeInputs | Promise<NodeInputs> {
  const inputs = mainInputs(request, mainValues);
  if (request.consumer.services.length === 0) return inputs;
  return addServices(request, inputs);
}

function mainInputs({ consumer: plan, main, json }: ServiceRequest, values: readonly (Json | undefined)[]): NodeInputs {
  const inputs: NodeInputs = {};
  const first = plan === main ? json : undefined;
  for (const [name, port] of Object.entries(plan.definition.inputs)) {
    if (port.kind !== "main") {
      inputs[name] = port.max === null ? [] : undefined;
      continue;
    }
    const arrived: Json[] = [];
    for (const [slot, edge] of plan.mainIn.entries()) {
      const value = values[slot];
      if (edge.to.port === name && value !== undefined) arrived.push(value);
    }
    inputs[name] = port.max === null ? arrived : (arrived[0] ?? first);
  }
  return inputs;
}

async function addServices(request: ServiceRequest, inputs: NodeInputs): Promise<NodeInputs> {
  const { consumer } = request;
  const live = consumer.services.filter((edge) => isLive(request.flow, edge));
  const wired = await Promise.all(live.map((edge) => serve(request, edge)));
  for (const [index, edge] of live.entries()) {
    const value = wired[index];
    const list = inputs[edge.to.port];
    if (portOf(consumer.definition.inputs, edge.to.port)?.max === null && Array.isArray(list)) list.push(value);
    else inputs[edge.to.port] = value;
  }
  return inputs;
}

/** Turned-off services are left out. */
function isLive(flow: FlowView, edge: EdgeRecord): boolean {
  const service = flow.shared.plan.nodes.get(edge.from.node);
  return service !== undefined && !service.node.disabled;
}

/**
 * A node's service over an edge, made for this one use. Throws a RunError that names the node. `edge.to` does not count.
 */
export async function serve(request: ServiceRequest, edge: EdgeRecord): Promise<Wired<unknown>> {
  const { flow, main, json } = request;
  const plan = flow.shared.plan.nodes.get(edge.from.node);
  if (!plan) throw new Error(`The node "${edge.from.node}" is gone.`);
  const use: NodeUse = { flow, plan, main, json, wanted: edge.from.port };
  const inputs = await gatherInputs({ flow, consumer: plan, main, json }, []);
  try {
    const result = await plan.definition.run(new NodeContext(use, inputs));
    const { callers } = plan.node;
    return {
      value: pickOutput(plan, edge.from.port, result),
      nodeId: plan.id,
      edgeId: edge.id,
      ...(bringsUntrusted(flow.shared.plan, plan) ? { untrusted: true } : {}),
      ...(callers ? { callers } : {}),
    };
  } catch (error) {
    throw flow.serviceError(error, plan);
  }
}

/** A node with one output gives its value, one with several a record by port. */
function pickOutput(plan: NodePlan, port: string, result: unknown): unknown {
  if (Object.keys(plan.definition.outputs).length === 1) return result;
  return typeof result === "object" && result !== null && port in result ? Reflect.get(result, port) : undefined;
}
