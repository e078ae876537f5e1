import { definitionOf } from "../engine/document/can-connect.ts";
import { defaultConfig } from "../engine/config/field-values.ts";
import type { NodeRegistry } from "../engine/document/define-node.ts";
import { documentLimits } from "../engine/document/read-document.ts";
import { keepReferences } from "../engine/document/slug.ts";
import { slugify } from "../engine/document/slugify.ts";
import { cleanText } from "../engine/document/typed-secrets.ts";
import type { Place } from "../engine/document/unplaced-nodes.ts";
import {
  schemaVersion,
  type EdgeRecord,
  type NodeRecord,
  type WorkflowDocument,
} from "../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../engine/json.ts";

/** The name of a workflow where its file gives none. */
export const unnamed = "Imported workflow";

/** The workflow that an import is building. Titles are made unique, so that a node's slug is known at once. */
export class Draft {
  readonly nodes: Record<string, NodeRecord> = {};
  readonly edges: Record<string, EdgeRecord> = {};
  private readonly slugs = new Set<string>();
  /** The next number of titles that are wanted several times. */
  private readonly next = new Map<string, number>();
  private readonly registry: NodeRegistry;
  private count = 0;
  private edgeCount = 0;

  constructor(registry: NodeRegistry) {
    this.registry = registry;
  }

  /** A title whose slug nobody else has, and the slug. Nothing that looks like a key is part of it. */
  reserve(wanted: string): { title: string; slug: string } {
    const base = cleanText(wanted).trim().slice(0, 180) || "Node";
    for (let number = this.next.get(base) ?? 1; ; number += 1) {
      const title = number === 1 ? base : `${base} ${number}`;
      const slug = slugify(title);
      if (this.slugs.has(slug)) continue;
      this.slugs.add(slug);
      this.next.set(base, number + 1);
      return { title, slug };
    }
  }

  add(type: string, title: string, config: JsonObject, position: Place, more: Partial<NodeRecord> = {}): NodeRecord {
    this.count += 1;
    const id = `n${this.count}`;
    const definition = definitionOf(this.registry, type);
    const node: NodeRecord = {
      id,
      type,
      version: definition?.version ?? 1,
      title,
      position: { x: Math.round(position.x), y: Math.round(position.y) },
      config: { ...(definition ? defaultConfig(definition.config) : {}), ...config },
      ...more,
    };
    this.nodes[id] = node;
    return node;
  }

  connect(from: string, fromPort: string, to: string, toPort: string): void {
    this.edgeCount += 1;
    const id = `e${this.edgeCount}`;
    this.edges[id] = { id, from: { node: from, port: fromPort }, to: { node: to, port: toPort } };
  }

  hasEdge(from: string, fromPort: string, to: string, toPort: string): boolean {
    return Object.values(this.edges).some(
      (edge) =>
        edge.from.node === from && edge.from.port === fromPort && edge.to.node === to && edge.to.port === toPort,
    );
  }

  /** Edges into a port. */
  into(node: string, port: string): EdgeRecord[] {
    return Object.values(this.edges).filter(({ to }) => to.node === node && to.port === port);
  }

  remove(edge: EdgeRecord): void {
    delete this.edges[edge.id];
  }

  document(id: string, name: string, description?: string): WorkflowDocument {
    keepReferences(this, { nodes: {} });
    return {
      schemaVersion,
      id,
      name: name.trim().slice(0, 200) || unnamed,
      ...(description ? { description: description.slice(0, 4_000) } : {}),
      nodes: this.nodes,
      edges: this.edges,
    };
  }
}

/** Whether a file is too large to be taken. */
export function tooMany(nodes: number, edges: number): string | undefined {
  if (nodes > documentLimits.nodes) return `It has ${nodes} nodes; at most ${documentLimits.nodes} are possible.`;
  if (edges > documentLimits.edges) return `It has ${edges} edges; at most ${documentLimits.edges} are possible.`;
  return undefined;
}

/** JSON as it is, without keys that reach prototypes, cut at a depth. */
export function safeJson(value: unknown, depth = 0): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || depth > 40) return null;
  if (Array.isArray(value)) return value.map((one) => safeJson(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !["__proto__", "constructor", "prototype"].includes(key))
      .map(([key, one]) => [key, safeJson(one, depth + 1)]),
  );
}
