import type { NodeRegistry } from "../document/define-node.ts";

/**
 * Loads what nodes do. A virtual clock does not wait for modules: without this, a tool's time limit passes while a node inside
 * of the call is being loaded. What cannot be loaded is left to the run.
 */
export async function preloadNodes(registry: NodeRegistry): Promise<void> {
  await Promise.allSettled(Object.values(registry).map((definition) => definition.preload?.()));
}
