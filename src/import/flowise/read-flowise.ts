import { isJsonObject, type Json, type JsonObject, readJson } from "../../engine/json.ts";
import { safeJson } from "../draft.ts";
import { placeOf, withoutPile } from "../place.ts";
import { type FlowEdge, type FlowGraph, type FlowNode, sortedEdges } from "../flow/flow-graph.ts";
import { objectOf, textOf } from "./flowise-values.ts";
import { roleOf } from "./roles.ts";
import { withTurns } from "./turns.ts";

export { objectOf, textOf } from "./flowise-values.ts";

/** A list, which Flowise also stores as JSON text. */
export function listOf(value: Json | undefined): JsonObject[] {
  const list = parsed(value);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** JSON that is stored as text, or the value as it is. */
export function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return safeJson(readJson(value));
  } catch {
    return value;
  }
}

function isFlow(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.nodes)) return false;
  return value.nodes.some((node) => {
    if (!isJsonObject(node) || !isJsonObject(node.data)) return false;
    const { data } = node;
    return typeof data.name === "string" && (Array.isArray(data.inputAnchors) || Array.isArray(data.baseClasses));
  });
}

/** The flows of a file: one flow as it is exported, or the export of a whole installation. */
export function flowsIn(value: unknown): JsonObject[] {
  if (!isJsonObject(value as Json)) return [];
  const source = value as JsonObject;
  if (isFlow(source)) return [source];
  const lists = ["AgentFlowV2", "AgentFlow", "ChatFlow"].flatMap((key) => listOf(source[key]));
  return [source, ...lists].flatMap((one) => {
    const flow = parsed(one.flowData);
    return isFlow(flow) ? [{ ...flow, name: one.name ?? flow.name ?? "" }] : [];
  });
}

/** Reads a flow of any version. Nodes that only serve others keep their edges; inputs of a group reach its members. */
export function readFlowise(source: JsonObject): FlowGraph {
  const nodes = withoutPile(readNodes(listOf(source.nodes)));
  const given = listOf(source.edges).map((raw): FlowEdge => ({
    from: textOf(raw.source),
    fromHandle: textOf(raw.sourceHandle),
    to: textOf(raw.target),
    toHandle: textOf(raw.targetHandle),
  }));
  const graph: FlowGraph = {
    format: "flowise",
    name: textOf(source.name),
    description: textOf(source.description),
    nodes,
    ...sortedEdges(nodes, given),
  };
  return graph.nodes.some(({ data }) => data.category === "Agent Flows")
    ? withTurns(withLoops(graph))
    : withTurns(withEntry(withReach(graph)));
}

function readNodes(list: readonly JsonObject[]): FlowNode[] {
  const seen = new Set<string>();
  return list.flatMap((raw, index) => {
    const data = objectOf(safeJson(raw.data) as Json);
    const id = textOf(raw.id) || `#${index}`;
    if (seen.has(id) || Object.keys(data).length === 0) return [];
    seen.add(id);
    const inputs = objectOf(data.inputs);
    const parent = textOf(raw.parentNode) || textOf(raw.parentId);
    const own = ["agentName", "llmNodeName", "workerName", "supervisorName", "conditionName", "conditionAgentName"];
    const named = own.map((key) => textOf(inputs[key])).find((one) => one.trim() !== "");
    return [
      {
        id,
        name: (named ?? textOf(data.label)).trim() || textOf(data.name) || "Node",
        type: textOf(data.name) || textOf(raw.type) || "unknown",
        position: placeOf(raw.positionAbsolute ?? raw.position),
        data,
        ...(parent === "" || parent === id ? {} : { parent }),
      },
    ];
  });
}

const added = (from: string, fromHandle: string, to: string, toHandle = "main"): FlowEdge => ({
  from,
  fromHandle,
  to,
  toHandle,
  added: true,
});

/** Gives each iteration of an agentflow a first node, which hands out the item. */
function withLoops(graph: FlowGraph): FlowGraph {
  const nodes = [...graph.nodes];
  const edges = [...graph.edges];
  for (const loop of graph.nodes.filter(({ type }) => type === "iterationAgentflow")) {
    const inside = graph.nodes.filter(({ parent, type }) => parent === loop.id && !type.startsWith("stickyNote"));
    if (inside.length === 0) continue;
    const within = new Set(inside.map(({ id }) => id));
    const entered = new Set(graph.edges.filter(({ from }) => within.has(from)).map(({ to }) => to));
    const id = `${loop.id} item`;
    nodes.push({
      id,
      name: `Item of ${loop.name}`,
      type: "iteration-item",
      position: { x: loop.position.x + 40, y: loop.position.y + 60 },
      data: {},
      parent: loop.id,
      added: true,
    });
    edges.push(added(loop.id, "item", id));
    for (const one of inside) if (!entered.has(one.id)) edges.push(added(id, "", one.id));
  }
  return { ...graph, nodes, edges };
}

const toolsHandle = "-input-tools-";

/**
 * What is wired to a node that is part of another one's settings here reaches that other one: the model of a start node
 * its agents, a chain's answer the chain whose prompt it fills in, a store the agent behind its retriever.
 */
function withReach(graph: FlowGraph): FlowGraph {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges: FlowEdge[] = [];
  const roleAt = (id: string) => {
    const node = byId.get(id);
    return node ? roleOf(node) : "part";
  };
  const consumers = (id: string, seen: Set<string> = new Set()): FlowEdge[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    return graph.edges
      .filter(({ from }) => from === id)
      .flatMap((edge) => (roleAt(edge.to) === "part" ? consumers(edge.to, seen) : [edge]));
  };
  for (const edge of graph.edges) {
    const [from, to] = [roleAt(edge.from), roleAt(edge.to)];
    if (byId.get(edge.from)?.type === "supervisor" && byId.get(edge.to)?.type === "worker") {
      edges.push(added(edge.to, "tool", edge.from, toolsHandle));
    }
    edges.push(edge);
    if (byId.get(edge.to)?.type === "queryEngineToolLlamaIndex") {
      for (const next of consumers(edge.to)) edges.push(added(edge.from, "tool", next.to, toolsHandle));
    } else if (to === "part" && (from === "agent" || from === "flow")) {
      for (const next of consumers(edge.to)) edges.push(added(edge.from, edge.fromHandle, next.to));
    } else if (to === "part" && from === "knowledge") {
      for (const next of consumers(edge.to)) edges.push(added(edge.from, edge.fromHandle, next.to, toolsHandle));
    }
  }
  return { ...graph, edges: [...edges, ...groupModels(graph, byId)] };
}

/**
 * The model and the memory of a start node serve every agent without one of its own, a supervisor's model its workers, and
 * that of a store what answers from it.
 */
function groupModels(graph: FlowGraph, byId: ReadonlyMap<string, FlowNode>): FlowEdge[] {
  const kindOf = ({ toHandle }: FlowEdge) => /-input-(model|agentMemory)-/.exec(toHandle)?.[1];
  const own = new Set(graph.edges.filter((edge) => kindOf(edge) === "model").map(({ to }) => to));
  const members = (id: string): FlowNode[] => {
    const node = byId.get(id);
    if (node?.type === "seqStart") return graph.nodes.filter((one) => sequence.has(one.type));
    if (node?.type === "supervisor") return graph.nodes.filter(({ type }) => type === "worker");
    if (!node || roleOf(node) !== "knowledge") return [];
    const readers = graph.edges.filter(({ from }) => from === id).map(({ to }) => byId.get(to));
    return readers.flatMap((reader) => (reader && roleOf(reader) === "agent" ? [reader] : []));
  };
  return graph.edges.flatMap((edge) => {
    const kind = kindOf(edge);
    if (kind === undefined || (kind === "agentMemory" && byId.get(edge.to)?.type === "supervisor")) return [];
    return members(edge.to)
      .filter(({ id }) => kind === "agentMemory" || !own.has(id))
      .map(({ id }) => added(edge.from, edge.fromHandle, id, `-input-${kind}-`));
  });
}

const sequence = new Set(["seqAgent", "seqLLMNode", "seqConditionAgent"]);

/** A chatflow starts with a message: what nothing leads to gets a trigger. */
function withEntry(graph: FlowGraph): FlowGraph {
  if (graph.nodes.some(({ type }) => type === "seqStart")) return graph;
  const steps = graph.nodes.filter((node) => ["agent", "flow"].includes(roleOf(node)));
  const stepIds = new Set(steps.map(({ id }) => id));
  const services = new Set(graph.edges.filter(({ toHandle }) => toHandle === toolsHandle).map(({ from }) => from));
  const flow = graph.edges.filter(({ from, to }) => stepIds.has(from) && !services.has(from) && !services.has(to));
  const entered = new Set(flow.map(({ to }) => to));
  const first = steps.filter(({ id }) => !entered.has(id) && !services.has(id));
  if (first.length === 0) return graph;
  const left = Math.min(...first.map(({ position }) => position.x));
  const trigger: FlowNode = {
    id: "chat message",
    name: "Chat",
    type: "chat-message",
    position: { x: left - 320, y: first[0]?.position.y ?? 0 },
    data: {},
    added: true,
  };
  return {
    ...graph,
    nodes: [trigger, ...graph.nodes],
    edges: [...graph.edges, ...first.map(({ id }) => added(trigger.id, "", id))],
  };
}
