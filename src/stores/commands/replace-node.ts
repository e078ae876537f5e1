import { fieldHints } from "../../engine/config/field.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { newNode } from "../../engine/document/new-document.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
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
    if (isTemplate ? hints?.template !== undefined : type.safeParse(value).success) shared[name] = value;
  }
  return shared;
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
  const before = definitionOf(context.registry, record.type);
  const { kept, lost } = fitEdges(store.document, context.registry, nodeId, next);
  const fresh = newNode(next, { id: nodeId, position: record.position, config: sharedConfig(record, before, next) });
  const hadOwnTitle = before === undefined || !record.title.startsWith(before.title);
  const title = hadOwnTitle ? record.title : uniqueTitle(store.document, next.title);
  const { notes, disabled } = record;
  const node: NodeRecord = {
    ...fresh,
    title: record.title,
    ...(notes === undefined ? {} : { notes }),
    ...(disabled === undefined ? {} : { disabled }),
  };
  store.mark();
  store.commit(`Replace ${record.title}`, (document) => {
    document.nodes[nodeId] = node;
    for (const { id } of lost) delete document.edges[id];
    for (const edge of kept) document.edges[edge.id] = edge;
    if (title !== record.title) renameReferences(document, nodeId, title);
  });
  store.mark();
  context.canvas.getState().select([nodeId]);
  if (lost.length === 0) return;
  context.notify({
    tone: "info",
    message: lost.length === 1 ? "One connection did not fit." : `${lost.length} connections did not fit.`,
    hint: `"${title}" has no port for ${lost.length === 1 ? "it" : "them"}. Undo brings everything back.`,
  });
}
