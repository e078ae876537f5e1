import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { safeJson } from "../draft.ts";
import { placeOf, withoutPile } from "../place.ts";

/** A node of an n8n workflow, as far as it is used. */
export interface N8nNode {
  name: string;
  /** Without the package: `agent`, `httpRequest`. */
  type: string;
  fullType: string;
  version: number;
  position: { x: number; y: number };
  parameters: JsonObject;
  credentials: { type: string; name: string }[];
  disabled: boolean;
  notes: string;
  onError: "stop" | "continue";
  /** Whether errors leave by an output of their own. */
  hasErrorOutput: boolean;
  retries: number;
}

/** An edge by names; `kind` is `main` or one of `ai_…`. */
export interface N8nEdge {
  from: string;
  fromIndex: number;
  kind: string;
  to: string;
  toIndex: number;
}

/** A workflow of n8n, read without judging it. `lost` are connections that lead nowhere. */
export interface N8nWorkflow {
  name: string;
  nodes: N8nNode[];
  edges: N8nEdge[];
  lost: { edge: N8nEdge; why: string }[];
  pinned: Record<string, Json>;
  timeZone: string | undefined;
  description: string;
}

/** Whether a value looks like an n8n export: nodes with types of n8n's packages. */
export function isN8n(value: unknown): boolean {
  return workflowsIn(value).length > 0;
}

/** The workflows in an export, which may wrap them in lists and objects. */
export function workflowsIn(value: unknown, depth = 0): JsonObject[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) return value.flatMap((one) => workflowsIn(one, depth + 1));
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value.nodes) && looksN8n(value)) return [value];
  const inner = value.workflow ?? value.data ?? value.workflowData ?? value.workflows;
  return inner === undefined ? [] : workflowsIn(inner, depth + 1);
}

function looksN8n({ nodes, connections, edges }: JsonObject): boolean {
  const list = Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
  const typed = list.some(({ type }) => typeof type === "string" && /n8n|^@[\w-]+\/.+\./i.test(type));
  return (
    typed ||
    (isJsonObject(connections) && edges === undefined && (list.length > 0 || Object.keys(connections).length === 0))
  );
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const count = (value: unknown, usual: number) => (typeof value === "number" && Number.isFinite(value) ? value : usual);

/** Reads a workflow; null slots, missing parts and twice-used names are put right. Never throws. */
export function readN8n(source: JsonObject): N8nWorkflow {
  const nodes: N8nNode[] = [];
  const names = new Set<string>();
  const byId = new Map<string, string>();
  for (const value of Array.isArray(source.nodes) ? source.nodes : []) {
    if (!isJsonObject(value)) continue;
    const node = readNode(value, nodes.length, names);
    if (typeof value.id === "string") byId.set(value.id, node.name);
    nodes.push(node);
  }
  const edges: N8nEdge[] = [];
  const lost: N8nWorkflow["lost"] = [];
  const seen = new Set<string>();
  for (const edge of readEdges(source.connections)) {
    const known = { ...edge, from: nameOf(edge.from, names, byId), to: nameOf(edge.to, names, byId) };
    const key = JSON.stringify(known);
    if (!names.has(known.from)) lost.push({ edge, why: `there is no node "${edge.from}"` });
    else if (!names.has(known.to)) lost.push({ edge, why: `there is no node "${edge.to}"` });
    else if (seen.has(key)) lost.push({ edge, why: "it stands twice" });
    else {
      seen.add(key);
      edges.push(known);
    }
  }
  const settings = isJsonObject(source.settings) ? source.settings : {};
  const meta = isJsonObject(source.meta) ? source.meta : {};
  const zone = text(settings.timezone);
  return {
    name: text(source.name),
    nodes: withoutPile(nodes),
    edges,
    lost,
    pinned: readPins(source.pinData),
    timeZone: zone === "" || zone === "DEFAULT" ? undefined : zone,
    description: text(source.description) || text(meta.description),
  };
}

function nameOf(name: string, names: ReadonlySet<string>, byId: ReadonlyMap<string, string>): string {
  return names.has(name) ? name : (byId.get(name) ?? name);
}

function readNode(value: JsonObject, index: number, names: Set<string>): N8nNode {
  const fullType = text(value.type);
  const type = fullType.slice(fullType.lastIndexOf(".") + 1);
  const wanted = text(value.name) || text(value.displayName) || type || `Node ${index + 1}`;
  let name = wanted;
  for (let number = 1; names.has(name); number += 1) name = `${wanted}${number}`;
  names.add(name);
  const parameters = safeJson(value.parameters);
  const credentials = isJsonObject(value.credentials) ? Object.entries(value.credentials) : [];
  const continues = value.continueOnFail === true || text(value.onError).startsWith("continue");
  return {
    name,
    type,
    fullType,
    version: count(value.typeVersion, 1),
    position: placeOf(value.position),
    parameters: isJsonObject(parameters) ? parameters : {},
    credentials: credentials.map(([kind, one]) => ({
      type: kind,
      name: isJsonObject(one) ? text(one.name) : text(one),
    })),
    disabled: value.disabled === true,
    notes: text(value.notes),
    onError: continues ? "continue" : "stop",
    hasErrorOutput: value.onError === "continueErrorOutput",
    retries: value.retryOnFail === true ? Math.max(1, count(value.maxTries, 3) - 1) : 0,
  };
}

/** Connections by name: `{ "A": { "main": [[{ "node": "B", "type": "main", "index": 0 }], null] } }`. */
function readEdges(connections: unknown): N8nEdge[] {
  if (!isJsonObject(connections)) return [];
  const edges: N8nEdge[] = [];
  for (const [from, kinds] of Object.entries(connections)) {
    if (!isJsonObject(kinds)) continue;
    for (const [kind, slots] of Object.entries(kinds)) {
      if (!Array.isArray(slots)) continue;
      for (const [fromIndex, slot] of slots.entries()) {
        const ends = Array.isArray(slot) ? slot : slot === null ? [] : [slot];
        for (const end of ends) {
          if (!isJsonObject(end)) continue;
          edges.push({
            from,
            fromIndex,
            kind: text(end.type) || kind,
            to: text(end.node),
            toIndex: count(end.index, 0),
          });
        }
      }
    }
  }
  return edges;
}

/** Pinned items: one becomes its JSON, several a list. */
function readPins(pins: unknown): Record<string, Json> {
  if (!isJsonObject(pins)) return {};
  return Object.fromEntries(
    Object.entries(pins).flatMap(([name, items]) => {
      if (!Array.isArray(items) || items.length === 0) return [];
      const values = items.map((item) => safeJson(isJsonObject(item) && "json" in item ? item.json : item));
      return [[name, values.length === 1 ? (values[0] ?? null) : values]];
    }),
  );
}
