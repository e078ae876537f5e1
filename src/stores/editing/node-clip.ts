import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { readDocument } from "../../engine/document/read-document.ts";
import { schemaVersion, type WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, parseJson } from "../../engine/json.ts";
import type { Point, Selection } from "../canvas-store.ts";
import { isGroup, withMembers } from "./group-members.ts";
import { grid } from "./node-geometry.ts";
import { snap } from "./place-node.ts";
import { uniqueTitle } from "./unique-title.ts";

/** The format of copied nodes: JSON that a person can read, keep in a file, or send to someone. */
const clipMark = "switchyard-nodes";

type Part = Pick<WorkflowDocument, "nodes" | "edges">;

/** The selected nodes, all that belongs to the groups among them, and the edges among all of these. */
export function selectedPart(document: WorkflowDocument, registry: NodeRegistry, selection: Selection): Part {
  const ids = new Set(withMembers(document.nodes, registry, Object.keys(selection.nodes)));
  const nodes = Object.fromEntries(Object.entries(document.nodes).filter(([id]) => ids.has(id)));
  const edges = Object.fromEntries(
    Object.entries(document.edges).filter(([, edge]) => nodes[edge.from.node] && nodes[edge.to.node]),
  );
  return { nodes, edges };
}

/** Copied nodes as text. A credential stays the id that it is: it means something to its owner's account alone. */
export function clipText(part: Part): string {
  return JSON.stringify(
    { kind: clipMark, nodes: Object.values(part.nodes), edges: Object.values(part.edges) },
    null,
    2,
  );
}

/**
 * Reads what `clipText` wrote, or a whole exported workflow. Null when the text is neither; problems are sentences.
 */
export function readClip(text: string, registry: NodeRegistry): { part: Part } | { problems: string[] } | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value["nodes"] === undefined) return null;
  const { kind: _kind, ...rest } = value;
  const read = readDocument({ schemaVersion, id: "clip", name: "Copied nodes", edges: {}, ...rest }, registry);
  return read.ok ? { part: read.document } : { problems: read.problems };
}

/** Whether a text is a workflow as a file, and not just copied nodes. */
export function isWholeWorkflow(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  const value = parseJson(text);
  return isJsonObject(value) && value["nodes"] !== undefined && value["kind"] !== clipMark;
}

function corner(part: Part): Point {
  const positions = Object.values(part.nodes).map((node) => node.position);
  return { x: Math.min(...positions.map(({ x }) => x)), y: Math.min(...positions.map(({ y }) => y)) };
}

/** Puts a part into a document with fresh ids and free titles. Edits in place; returns the new nodes' ids by those in the part. */
export function insertPart(
  document: WorkflowDocument,
  part: Part,
  place: { at: Point } | { offset: number },
  newId: () => string,
): Map<string, string> {
  const ids = new Map(Object.keys(part.nodes).map((id) => [id, newId()]));
  const from = corner(part);
  const shift =
    "at" in place
      ? { x: place.at.x - from.x, y: place.at.y - from.y }
      : { x: place.offset * grid, y: place.offset * grid };
  for (const node of Object.values(part.nodes)) {
    const id = ids.get(node.id);
    if (id === undefined) continue;
    const position = snap({ x: node.position.x + shift.x, y: node.position.y + shift.y });
    const copy = { ...structuredClone(node), id, position, title: uniqueTitle(document, node.title) };
    const { members } = copy.config;
    if (isGroup(copy) && Array.isArray(members)) {
      copy.config = { ...copy.config, members: members.flatMap((member) => ids.get(String(member)) ?? []) };
    }
    document.nodes[id] = copy;
  }
  for (const edge of Object.values(part.edges)) {
    const source = ids.get(edge.from.node);
    const target = ids.get(edge.to.node);
    if (source === undefined || target === undefined) continue;
    const id = newId();
    document.edges[id] = { id, from: { ...edge.from, node: source }, to: { ...edge.to, node: target } };
  }
  return ids;
}
