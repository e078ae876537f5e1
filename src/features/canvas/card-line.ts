import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** A part that the model fills in, by its name: `{{ai("id", …)}}` reads ‹id›. */
const readable = (line: string): string =>
  line.replaceAll(/\{\{\s*ai\s*\(\s*["']([^"'{}]*)["'][^{}]*\)\s*\}\}/g, "‹$1›");

/** The muted line of a card: what the node will do. A definition that stumbles over an odd config falls back to its title. */
export function cardLine(registry: NodeRegistry, node: NodeRecord): string {
  const definition = definitionOf(registry, node.type);
  if (definition === undefined) return `Unknown type ${node.type}`;
  try {
    const line = readable(definition.describe?.(node.config) ?? "");
    return line.trim() === "" ? (node.title === definition.title ? definition.summary : definition.title) : line;
  } catch {
    return definition.title;
  }
}
