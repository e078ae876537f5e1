import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { safeJson } from "../draft.ts";
import { Parameters } from "../parameters.ts";
import { placeOf, withoutPile } from "../place.ts";

/** A node of an n8n workflow, as far as it is used. */
export interface N8nNode {
  name: string;
  /** Without the package: `agent`, `httpRequest`. */
  type: string;
  fullType: string;
  version: number;
  position: { x: number; y: number };
  parameters: Parameters;
  /** What else the node says, such as how it is repeated. */
  settings: Parameters;
  credentials: { type: string; name: string }[];
  disabled: boolean;
  notes: string;
  onError: "stop" | "continue";
  /** Whether errors leave by an output of their own. */
  hasErrorOutput: boolean;
  retries: number;
  /** Whether an empty item goes on where the node gives none. */
  alwaysOutput: boolean;
  /** Milliseconds before it is tried again; undefined where it is n8n's usual second. */
  retryDelay: number | undefined;
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
  /** The settings of the workflow besides its time zone. */
  settings: Parameters;
}

/** The workflows in an export, which may wrap them in lists and objects. */
export function workflowsIn(value: unknown, depth = 0): JsonObject[] {
  if (depth > 3) return [];
  if (Array.isArray(value)) {
    const whole = value.flatMap((one) => workflowsIn(one, depth + 1));
    // Nodes that were copied without what is around them.
    return whole.length === 0 && value.some(isN8nNode) ? [{ nodes: value, connections: {} }] : whole;
  }
  if (!isJsonObject(value)) return [];
  if (depth === 0 && isN8nNode(value) && value.nodes === undefined) return [{ nodes: [value], connections: {} }];
  if (Array.isArray(value.nodes) && looksN8n(value)) return [value];
  const inner = value.workflow ?? value.data ?? value.workflowData ?? value.workflows;
  return inner === undefined ? [] : workflowsIn(inner, depth + 1);
}

const isN8nNode = (value: unknown): value is JsonObject =>
  isJsonObject(value) && /n8n|^@[\w-]+\/.+\./i.test(text(value.type));

function looksN8n({ nodes, connections, edges }: JsonObject): boolean {
  const list = Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
  const typed = list.some(isN8nNode);
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
  const names = new Names();
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
    const known = { ...edge, from: nameOf(edge.from, names.taken, byId), to: nameOf(edge.to, names.taken, byId) };
    const key = JSON.stringify(known);
    if (!names.taken.has(known.from)) lost.push({ edge, why: `there is no node "${edge.from}"` });
    else if (!names.taken.has(known.to)) lost.push({ edge, why: `there is no node "${edge.to}"` });
    else if (seen.has(key)) lost.push({ edge, why: "it stands twice" });
    else {
      seen.add(key);
      edges.push(known);
    }
  }
  const settings = isJsonObject(source.settings) ? source.settings : {};
  const meta = isJsonObject(source.meta) ? source.meta : {};
  const { timezone, ...others } = settings;
  const zone = text(timezone);
  const plain = safeJson(others);
  return {
    name: text(source.name),
    nodes: withoutPile(nodes),
    edges,
    lost,
    pinned: readPins(source.pinData),
    timeZone: zone === "" || zone === "DEFAULT" ? undefined : zone,
    description: text(source.description) || text(meta.description),
    settings: new Parameters(isJsonObject(plain) ? plain : {}),
  };
}

function nameOf(name: string, names: ReadonlySet<string>, byId: ReadonlyMap<string, string>): string {
  return names.has(name) ? name : (byId.get(name) ?? name);
}

/** The names of a workflow's nodes, each once. */
class Names {
  readonly taken = new Set<string>();
  private readonly next = new Map<string, number>();

  /** The wanted name, with a number behind it where it is taken. */
  own(wanted: string): string {
    let name = wanted;
    let number = this.next.get(wanted) ?? 1;
    for (; this.taken.has(name); number += 1) name = `${wanted}${number}`;
    this.next.set(wanted, number);
    this.taken.add(name);
    return name;
  }
}

function readNode(value: JsonObject, index: number, names: Names): N8nNode {
  const { id: _id, parameters: given, position, credentials: kept, ...rest } = value;
  const { name: _name, displayName: _displayName, type: _type, typeVersion: _version, ...more } = rest;
  const { notes: _notes, disabled: _disabled, ...settings } = more;
  const fullType = text(value.type);
  const type = fullType.slice(fullType.lastIndexOf(".") + 1);
  const wanted = text(value.name) || text(value.displayName) || type || `Node ${index + 1}`;
  const name = names.own(wanted);
  const parameters = safeJson(given);
  const others = safeJson(settings);
  const credentials = isJsonObject(kept) ? Object.entries(kept) : [];
  const continues = value.continueOnFail === true || text(value.onError).startsWith("continue");
  return {
    name,
    type,
    fullType,
    version: count(typeof value.typeVersion === "string" ? Number(value.typeVersion) : value.typeVersion, 1),
    position: placeOf(position),
    parameters: new Parameters(isJsonObject(parameters) ? withMarks(type, parameters) : {}),
    settings: new Parameters(isJsonObject(others) ? others : {}),
    credentials: credentials.map(([kind, one]) => ({
      type: kind,
      name: isJsonObject(one) ? text(one.name) : text(one),
    })),
    disabled: value.disabled === true,
    notes: text(value.notes),
    onError: continues ? "continue" : "stop",
    hasErrorOutput: value.onError === "continueErrorOutput",
    alwaysOutput: value.alwaysOutputData === true,
    retries: value.retryOnFail === true ? Math.max(1, count(value.maxTries, 3) - 1) : 0,
    retryDelay: typeof value.waitBetweenTries === "number" ? value.waitBetweenTries : undefined,
  };
}

/** n8n fills in the template of its HTML node without the sign that marks expressions elsewhere. */
function withMarks(type: string, parameters: JsonObject): JsonObject {
  const { html } = parameters;
  const isUnmarked = type === "html" && typeof html === "string" && html.includes("{{") && !html.startsWith("=");
  return isUnmarked ? { ...parameters, html: `=${html}` } : parameters;
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
