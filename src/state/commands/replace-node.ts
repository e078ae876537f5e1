import { z } from "zod/mini";
import { fieldHints } from "../../engine/config/field.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import { newNode } from "../../engine/document/new-document.ts";
import type { EdgeRecord, NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { fitEdges } from "../editing/fit-edges.ts";
import { renameReferences } from "../editing/rename-references.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { CommandContext } from "./command.ts";

/** What both types ask for under one name and the new one accepts; a credential only where its type fits both. */
function sharedConfig(record: NodeRecord, before: AnyNodeDefinition | undefined, next: AnyNodeDefinition): JsonObject {
  const shared: JsonObject = {};
  for (const [name, type] of Object.entries(next.config.shape)) {
    const value = record.config[name];
    if (value === undefined) continue;
    const hints = fieldHints(type);
    const old = before?.config.shape[name];
    if (hints?.control === "credential") {
      const types = old === undefined ? [] : (fieldHints(old)?.credentialTypes ?? []);
      if (!types.some((credential) => hints.credentialTypes?.includes(credential) === true)) continue;
    }
    if (hints?.control === "model-name") continue;
    const isTemplate = typeof value === "string" && value.includes("{{");
    if (isTemplate ? hints?.template !== undefined : z.safeParse(type, value).success) shared[name] = value;
  }
  return shared;
}

interface Replacement {
  node: NodeRecord;
  title: string;
  kept: EdgeRecord[];
  lost: EdgeRecord[];
}

/** The node that takes the place of another, with the edges that fit it; `config` is what it has besides. */
function replacementOf(
  document: WorkflowDocument,
  registry: NodeRegistry,
  record: NodeRecord,
  next: AnyNodeDefinition,
  config: JsonObject = {},
): Replacement {
  const before = definitionOf(registry, record.type);
  const shared = { ...sharedConfig(record, before, next), ...config };
  const fresh = newNode(next, { id: record.id, position: record.position, config: shared });
  const hadOwnTitle = before === undefined || !record.title.startsWith(before.title);
  const { notes, disabled, reference } = record;
  return {
    ...fitEdges(document, registry, record.id, next),
    node: {
      ...fresh,
      title: record.title,
      ...(reference === undefined ? {} : { reference }),
      ...(notes === undefined ? {} : { notes }),
      ...(disabled === undefined ? {} : { disabled }),
    },
    title: hadOwnTitle ? record.title : uniqueTitle(document, next.title),
  };
}

/** Templates that name the node follow its title. */
function putInPlace(document: WorkflowDocument, { node, title, kept, lost }: Replacement): void {
  document.nodes[node.id] = node;
  for (const { id } of lost) delete document.edges[id];
  for (const edge of kept) document.edges[edge.id] = edge;
  if (title !== node.title) renameReferences(document, node.id, title);
}

/**
 * Makes a node one of another type at the same place, as one undo step: edges that fit stay, settings that both types
 * have stay. Says which connections had to go.
 */
export function replaceNode(context: CommandContext, nodeId: string, type: string): void {
  const store = context.document.getState();
  const record = store.document.nodes[nodeId];
  const next = definitionOf(context.registry, type);
  if (record === undefined || next === undefined || record.type === type) return;
  const replacement = replacementOf(store.document, context.registry, record, next);
  store.edit(`Replace ${record.title}`, (document) => putInPlace(document, replacement));
  context.canvas.getState().select([nodeId]);
  const { lost, title } = replacement;
  if (lost.length === 0) return;
  context.notify({
    tone: "info",
    message: lost.length === 1 ? "One connection did not fit." : `${lost.length} connections did not fit.`,
    hint: `"${title}" has no port for ${lost.length === 1 ? "it" : "them"}. Undo brings everything back.`,
  });
}

/** Makes every node of one type one of another, with these settings, as one undo step. Returns how many there were. */
export function replaceAllOfType(
  context: CommandContext,
  { from, to, config }: { from: string; to: string; config: JsonObject },
): number {
  const store = context.document.getState();
  const next = definitionOf(context.registry, to);
  const ids = Object.values(store.document.nodes).flatMap(({ id, type }) => (type === from ? [id] : []));
  if (next === undefined || ids.length === 0) return 0;
  store.edit(`Replace ${ids.length === 1 ? "the node" : `${ids.length} nodes`} with ${next.title}`, (document) => {
    for (const id of ids) {
      const record = document.nodes[id];
      if (record) putInPlace(document, replacementOf(document, context.registry, record, next, config));
    }
  });
  return ids.length;
}
