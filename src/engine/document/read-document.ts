import { z } from "zod/mini";
import "../config/english-issues.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { definitionOf, endsFit } from "./can-connect.ts";
import type { NodeRegistry } from "./define-node.ts";
import { readKeptReport } from "./import-report.ts";
import { jsonProblem } from "./json-problem.ts";
import { migrateDocument } from "./migrate-document.ts";
import { settingNotes } from "./setting-notes.ts";
import { callerTermsSchema } from "../trust/caller-terms.ts";
import { isReference, keepReferences } from "./slug.ts";
import {
  schemaVersion,
  workflowDocument,
  type EdgeRecord,
  type NodeRecord,
  type WorkflowDocument,
} from "./workflow-document.ts";

/** Most that one document may hold. */
export const documentLimits = { nodes: 2_000, edges: 10_000, characters: 5_000_000, depth: 64 } as const;

/** `notes` say what was filled in, kept aside or left out, in words for the user. */
export type ReadResult = { ok: true; document: WorkflowDocument; notes: string[] } | { ok: false; problems: string[] };

const refused = (...problems: string[]): ReadResult => ({ ok: false, problems });

/**
 * Reads a stored, imported or hand-written workflow. Old schema versions are migrated; a missing id, name, title, position,
 * version or config gets a default; nodes and edges may be lists or records. Unknown node types are kept as they are. Refused
 * with a named reason: what is no JSON, too large or too deep, keys that reach prototypes, edges that lead nowhere or stand
 * twice. How expressions call each node is settled, see `nodeSlugs`. With a registry, configs of older node versions are brought
 * up to date, and misfitting edges and settings without effect are noted. `newId` gives the id of a document without one. Never
 * throws; does not change its argument.
 */
export function readDocument(
  value: unknown,
  registry?: NodeRegistry,
  newId: () => string = () => "workflow",
): ReadResult {
  const unfit = jsonProblem(value, documentLimits);
  if (unfit !== undefined) return refused(unfit);
  if (!isJsonObject(value)) return refused("A workflow is a JSON object with nodes and edges.");
  const migrated = migrateDocument(value);
  if (!migrated.ok) return refused(migrated.problem);
  const notes = migrated.notes;
  const problems: string[] = [];

  const nodeValues = entriesOf(migrated.document.nodes, "nodes", problems);
  const edgeValues = entriesOf(migrated.document.edges, "edges", problems);
  if (nodeValues.length > documentLimits.nodes) problems.push(tooMany("nodes", nodeValues.length));
  if (edgeValues.length > documentLimits.edges) problems.push(tooMany("edges", edgeValues.length));
  if (problems.length > 0) return refused(...problems);

  const nodes: Record<string, NodeRecord> = {};
  for (const [index, entry] of nodeValues.entries()) readNode(entry, index, nodes, registry, problems, notes);
  const edges: Record<string, EdgeRecord> = {};
  const joined = new Map<string, string>();
  for (const [index, entry] of edgeValues.entries()) readEdge(entry, index, nodes, edges, joined, problems);
  if (problems.length > 0) return refused(...problems);

  const { id, name, description, vars, privacy } = migrated.document;
  const importReport = readKeptReport(migrated.document.importReport);
  const result = workflowDocument.safeParse({
    schemaVersion,
    id: typeof id === "string" && id !== "" ? id : newId(),
    name: typeof name === "string" && name.trim() !== "" ? name : "Untitled workflow",
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    nodes,
    edges,
    ...(vars === undefined || vars === null ? {} : { vars }),
    ...(privacy === undefined || privacy === null ? {} : { privacy }),
    ...(importReport ? { importReport } : {}),
  });
  if (!result.success) return refused(...result.error.issues.map(documentIssue));
  const document = result.data;
  keepReferences(document);
  if (registry)
    notes.push(...settingNotes(migrated.document, document.nodes, registry), ...misfits(document, registry));
  return { ok: true, document, notes };
}

/** Records and lists alike as `[id, value]`; the id of a list's entry is its own. */
function entriesOf(value: Json | undefined, name: string, problems: string[]): [string | undefined, Json][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((entry) => [undefined, entry]);
  if (isJsonObject(value)) return Object.entries(value);
  problems.push(`"${name}" must be an object or a list.`);
  return [];
}

function readNode(
  [key, value]: [string | undefined, Json],
  index: number,
  nodes: Record<string, NodeRecord>,
  registry: NodeRegistry | undefined,
  problems: string[],
  notes: string[],
): void {
  const id = key ?? textOf(value, "id");
  if (id === undefined || id === "") return void problems.push(`Node number ${index + 1} has no id.`);
  if (Object.hasOwn(nodes, id)) return void problems.push(`Two nodes have the id "${id}".`);
  if (!isJsonObject(value)) return void problems.push(`Node "${id}" is not an object.`);
  const type = textOf(value, "type");
  if (type === undefined || type === "") return void problems.push(`Node "${id}" has no type.`);
  if (value.id !== undefined && value.id !== id) {
    return void problems.push(`Node "${id}" says that its id is "${String(value.id)}".`);
  }
  if (value.reference !== undefined && !isReference(value.reference))
    notes.push(`Node "${id}" cannot be called "${String(value.reference)}" in expressions; its title gives the name.`);
  const config = value.config ?? {};
  if (!isJsonObject(config)) return void problems.push(`The config of node "${id}" must be an object.`);
  const definition = registry && definitionOf(registry, type);
  if (registry && !definition)
    notes.push(`The node type "${type}" is not known here; node "${id}" is kept but cannot run.`);
  const version = typeof value.version === "number" ? value.version : (definition?.version ?? 1);
  const outdated = definition?.migrate && version < definition.version;
  if (outdated) notes.push(`Node "${id}" was updated from version ${version} to ${definition.version}.`);
  nodes[id] = {
    ...(value.disabled === true ? { disabled: true } : {}),
    ...(value.stops === true ? { stops: true } : {}),
    ...(typeof value.notes === "string" ? { notes: value.notes } : {}),
    ...pinOf(value.pin),
    ...callersOf(value.callers),
    ...(value.unreviewed === true ? { unreviewed: true } : {}),
    ...(isReference(value.reference) ? { reference: value.reference } : {}),
    id,
    type,
    version: outdated ? definition.version : version,
    title: textOf(value, "title") ?? definition?.title ?? type,
    position: positionOf(value.position, index),
    config: outdated ? (definition.migrate?.(config, version) ?? config) : config,
  };
}

function readEdge(
  [key, value]: [string | undefined, Json],
  index: number,
  nodes: Readonly<Record<string, NodeRecord>>,
  edges: Record<string, EdgeRecord>,
  joined: Map<string, string>,
  problems: string[],
): void {
  const id = key ?? textOf(value, "id") ?? `edge-${index + 1}`;
  if (Object.hasOwn(edges, id)) return void problems.push(`Two edges have the id "${id}".`);
  const from = isJsonObject(value) ? endOf(value.from) : undefined;
  const to = isJsonObject(value) ? endOf(value.to) : undefined;
  if (!from || !to) {
    return void problems.push(`Edge "${id}" needs "from" and "to", each with a "node" and a "port".`);
  }
  for (const end of [from, to]) {
    if (!Object.hasOwn(nodes, end.node)) {
      return void problems.push(`Edge "${id}" leads to the node "${end.node}", which does not exist.`);
    }
  }
  const ends = JSON.stringify([from.node, from.port, to.node, to.port]);
  const twin = joined.get(ends);
  if (twin !== undefined) return void problems.push(`The edges "${twin}" and "${id}" join the same two ports.`);
  joined.set(ends, id);
  edges[id] = { id, from, to };
}

function endOf(value: Json | undefined): { node: string; port: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  const { node, port } = value;
  return typeof node === "string" && typeof port === "string" ? { node, port } : undefined;
}

function textOf(value: Json, key: string): string | undefined {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function pinOf(value: Json | undefined): Pick<NodeRecord, "pin"> {
  if (!isJsonObject(value) || value.output === undefined) return {};
  return { pin: { output: value.output, ...(value.untrusted === true ? { untrusted: true } : {}) } };
}

function callersOf(value: Json | undefined): Pick<NodeRecord, "callers"> {
  const { data } = callerTermsSchema.safeParse(value);
  return data ? { callers: data } : {};
}

/** Nodes without a place stand in a row, so that a hand-written workflow can be looked at. */
function positionOf(value: Json | undefined, index: number): { x: number; y: number } {
  const { x, y }: JsonObject = isJsonObject(value) ? value : {};
  return typeof x === "number" && typeof y === "number" ? { x, y } : { x: index * 280, y: 0 };
}

function tooMany(what: "nodes" | "edges", count: number): string {
  return `The workflow has ${count} ${what}; the limit is ${documentLimits[what]}.`;
}

function documentIssue(issue: z.core.$ZodIssue): string {
  return `At "${issue.path.map(String).join(".")}": ${issue.message}.`;
}

function misfits(document: WorkflowDocument, registry: NodeRegistry): string[] {
  const notes: string[] = [];
  for (const edge of Object.values(document.edges)) {
    const source = document.nodes[edge.from.node];
    const target = document.nodes[edge.to.node];
    if (!source || !target || !definitionOf(registry, source.type) || !definitionOf(registry, target.type)) continue;
    const ends = endsFit(document, registry, edge.from, edge.to);
    if (!ends.ok) notes.push(`Edge "${edge.id}" does not fit: ${ends.reason}`);
  }
  return notes;
}
