import type { MemoryPlace } from "../../engine/memory/memory.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** Where a memory node keeps its conversations; null for one that is not set up yet, and for every other node. */
export function placeOfMemory(
  registry: NodeRegistry,
  { type, config }: Pick<NodeRecord, "type" | "config">,
): MemoryPlace | null {
  return definitionOf(registry, type)?.keepsAt?.(config) ?? null;
}
