import { defaultConfig } from "../config/field-values.ts";
import type { JsonObject } from "../json.ts";
import type { AnyNodeDefinition } from "./define-node.ts";
import { schemaVersion, type NodeRecord, type WorkflowDocument } from "./workflow-document.ts";

/** An empty workflow. `id` should be a UUID, since the database keys workflows by it. */
export function newDocument(id: string, name: string): WorkflowDocument {
  return { schemaVersion, id, name, nodes: {}, edges: {} };
}

/** A node of a type with its default config. `position` is in canvas pixels; the title defaults to the type's. */
export function newNode(
  definition: AnyNodeDefinition,
  options: { id: string; position: { x: number; y: number }; title?: string; config?: JsonObject | undefined },
): NodeRecord {
  return {
    id: options.id,
    type: definition.type,
    version: definition.version,
    title: options.title ?? definition.title,
    position: options.position,
    config: { ...defaultConfig(definition.config), ...options.config },
  };
}
