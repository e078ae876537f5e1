import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { nodeSlugs } from "../../engine/document/slug.ts";
import { withoutTypedSecrets } from "../../engine/document/typed-secrets.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";

/** A node as a model reads and writes it: no id, no position, and only the settings that are not the defaults. */
export interface CompactNode {
  type: string;
  title: string;
  /** In an outline, one line in the place of the settings. */
  does?: string;
  config?: JsonObject;
  off?: true;
}

/** A workflow in short: nodes by slug, wires as `from.port>to.port`. */
export interface CompactGraph {
  name: string;
  nodes: Record<string, CompactNode>;
  wires: string[];
  /** Says what was left out, and how to read it. */
  note?: string;
}

/** Workflows with more nodes are sent as an outline; settings are read node by node. */
const mostInFull = 24;
const longestLine = 60;

/** What stands in the place of a credential: whether one is chosen, never which. */
const chosen = "(chosen)";

/** A wire in short. */
export function wireText(from: { slug: string; port: string }, to: { slug: string; port: string }): string {
  return `${from.slug}.${from.port}>${to.slug}.${to.port}`;
}

/**
 * The workflow as a model reads it: whole up to 24 nodes, above that one line a node. `only` names the nodes whose settings
 * are wanted. Secrets that were typed into fields are left out, credentials are only said to be chosen.
 */
export function compactGraph(
  document: WorkflowDocument,
  registry: NodeRegistry,
  only?: readonly string[],
): CompactGraph {
  const { document: clean } = withoutTypedSecrets(document);
  const slugs = nodeSlugs(clean);
  const wanted = only === undefined ? undefined : new Set(only);
  const isOutline = wanted === undefined && slugs.size > mostInFull;
  const nodes: Record<string, CompactNode> = {};
  for (const node of Object.values(clean.nodes)) {
    const slug = slugs.get(node.id) ?? node.id;
    if (wanted !== undefined && !wanted.has(slug)) continue;
    nodes[slug] = isOutline ? outlineOf(node, registry) : compactNode(node, registry);
  }
  const wires = Object.values(clean.edges)
    .filter(({ from, to }) => wanted === undefined || [from, to].some(({ node }) => wanted.has(slugs.get(node) ?? "")))
    .map(({ from, to }) =>
      wireText(
        { slug: slugs.get(from.node) ?? from.node, port: from.port },
        { slug: slugs.get(to.node) ?? to.node, port: to.port },
      ),
    );
  return {
    name: clean.name,
    nodes,
    wires,
    ...(isOutline ? { note: "Settings are left out. Ask for nodes by name to read theirs." } : {}),
  };
}

function outlineOf(node: NodeRecord, registry: NodeRegistry): CompactNode {
  const line = definitionOf(registry, node.type)?.describe?.(node.config) ?? "";
  return {
    type: node.type,
    title: node.title,
    ...(line === "" ? {} : { does: line.slice(0, longestLine) }),
    ...(node.disabled === true ? { off: true as const } : {}),
  };
}

function compactNode(node: NodeRecord, registry: NodeRegistry): CompactNode {
  const config = changedSettings(node, registry);
  return {
    type: node.type,
    title: node.title,
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(node.disabled === true ? { off: true as const } : {}),
  };
}

/** The settings that differ from the defaults. */
function changedSettings({ type, config }: NodeRecord, registry: NodeRegistry): JsonObject {
  const definition = definitionOf(registry, type);
  if (definition === undefined) return config;
  const changed: [string, Json][] = [];
  for (const field of describeFields(definition.config)) {
    const value = config[field.name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(field.default)) continue;
    if (field.control === "credential") {
      if (value !== "") changed.push([field.name, chosen]);
    } else changed.push([field.name, value]);
  }
  return Object.fromEntries(changed);
}
