import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { FlowEdge, FlowGraph, FlowNode } from "../flow/flow-graph.ts";
import { sortedEdges } from "../flow/flow-graph.ts";
import { safeJson } from "../draft.ts";
import { placeOf, withoutPile } from "../place.ts";
import { chatAppGraph } from "./chat-app.ts";

/** A Dify app as one graph, whatever kind of app it is. */
export interface DifyApp {
  mode: "workflow" | "chat";
  graph: FlowGraph;
  /** What the app has besides its graph: an opening, speech, files … */
  features: JsonObject;
  /** Names of environment variables whose values are secret. */
  secrets: string[];
  /** First values of variables that Dify keeps with a conversation. */
  conversation: JsonObject;
}

export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
export const textOf = (value: Json | undefined, usual = ""): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : usual;

/** Whether a value is an app of Dify: an `app` with a mode, beside a workflow or the settings of a model. */
export function isDify(value: unknown): value is JsonObject {
  if (!isJsonObject(value as Json)) return false;
  const { app, workflow, model_config: model, kind } = value as JsonObject;
  if (isJsonObject(app) && typeof app.mode === "string") return kind === "app" || isJsonObject(workflow ?? model);
  return isJsonObject(workflow) && isJsonObject(workflow.graph) && Array.isArray(workflow.graph.nodes);
}

/** Reads an app of any version of the format. */
export function readDify(source: JsonObject): DifyApp {
  const app = objectOf(source.app);
  const name = textOf(app.name, "Imported app");
  const description = textOf(app.description);
  const workflow = objectOf(source.workflow);
  const shell = { format: "dify", name, description };
  if (!isJsonObject(workflow.graph)) {
    const model = objectOf(source.model_config);
    return {
      mode: "chat",
      graph: { ...shell, ...chatAppGraph(model, textOf(app.mode), name) },
      features: model,
      secrets: [],
      conversation: {},
    };
  }
  const graph = objectOf(workflow.graph);
  const nodes = withoutPile(readNodes(listOf(graph.nodes)));
  const ends = loopEnds(nodes, readEdges(listOf(graph.edges)));
  const { vars, secrets } = environment(listOf(workflow.environment_variables));
  const conversation = Object.fromEntries(
    listOf(workflow.conversation_variables).map((one) => [textOf(one.name), safeJson(one.value)]),
  );
  const isChat = textOf(app.mode).includes("chat") || nodes.some(({ type }) => type === "answer");
  return {
    mode: isChat ? "chat" : "workflow",
    graph: { ...shell, nodes: ends.nodes, ...sortedEdges(ends.nodes, ends.edges), vars },
    features: objectOf(workflow.features),
    secrets,
    conversation,
  };
}

function readNodes(list: readonly JsonObject[]): FlowNode[] {
  const seen = new Set<string>();
  return list.flatMap((raw, index) => {
    const data = objectOf(safeJson(raw.data) as Json);
    const id = textOf(raw.id) || `#${index}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const kind = textOf(raw.type);
    const type = textOf(data.type) || (kind === "custom-note" ? "note" : kind.replace(/^custom-/, "")) || "unknown";
    const parent = textOf(raw.parentId) || textOf(data.iteration_id) || textOf(data.loop_id);
    return [
      {
        id,
        name: textOf(data.title).trim() || (type === "note" ? "Note" : type),
        type,
        position: placeOf(raw.positionAbsolute ?? raw.position),
        data,
        ...(parent === "" || parent === id ? {} : { parent }),
      },
    ];
  });
}

function readEdges(list: readonly JsonObject[]): FlowEdge[] {
  return list.map((raw) => ({
    from: textOf(raw.source),
    fromHandle: textOf(raw.sourceHandle, "source"),
    to: textOf(raw.target),
    toHandle: textOf(raw.targetHandle, "target"),
  }));
}

const starts = new Set(["iteration-start", "loop-start"]);

/**
 * Gives each loop a first node, which hands out the item, and a last one, which collects what one turn gives. Newer
 * versions have the first one in the file.
 */
function loopEnds(given: FlowNode[], edges: FlowEdge[]): { nodes: FlowNode[]; edges: FlowEdge[] } {
  const nodes = [...given];
  const all = [...edges];
  for (const loop of given.filter(({ type }) => type === "iteration" || type === "loop")) {
    const inside = given.filter(({ parent }) => parent === loop.id);
    if (inside.length === 0) continue;
    const known = inside.find(({ type }) => starts.has(type));
    const start = known?.id ?? `${loop.id} item`;
    if (known && starts.has(known.name)) known.name = `Item of ${loop.name}`;
    const others = inside.filter(({ id, type }) => id !== start && type !== "note");
    const within = new Set(inside.map(({ id }) => id));
    if (!known) {
      const entered = new Set(edges.filter(({ from }) => within.has(from)).map(({ to }) => to));
      nodes.push({ ...inner(loop, `Item of ${loop.name}`, 0), id: start, type: "iteration-start" });
      for (const { id } of others.filter((one) => !entered.has(one.id))) all.push(added(start, "source", id));
    }
    all.push(added(loop.id, "item", start));
    const left = new Set(edges.filter(({ to }) => within.has(to)).map(({ from }) => from));
    const leaves = others.filter(({ id }) => !left.has(id));
    const end = `${loop.id} result`;
    nodes.push({ ...inner(loop, `Result of ${loop.name}`, 400), id: end, type: "iteration-result", data: loop.data });
    for (const { id } of leaves.length > 0 ? leaves : [{ id: start }]) all.push(added(id, "source", end));
  }
  return { nodes, edges: all };
}

const added = (from: string, fromHandle: string, to: string): FlowEdge => ({
  from,
  fromHandle,
  to,
  toHandle: "target",
  added: true,
});

const inner = (loop: FlowNode, name: string, x: number) => ({
  name,
  position: { x: loop.position.x + 60 + x, y: loop.position.y + 120 },
  data: {},
  parent: loop.id,
  added: true as const,
});

function environment(list: readonly JsonObject[]): { vars: JsonObject; secrets: string[] } {
  const vars: JsonObject = {};
  const secrets: string[] = [];
  for (const { name, value, value_type: type } of list) {
    const key = textOf(name);
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key)) continue;
    if (type === "secret") secrets.push(key);
    else vars[key] = safeJson(value);
  }
  return { vars, secrets };
}
