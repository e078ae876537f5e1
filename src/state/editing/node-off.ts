import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** How a node is turned off: left out with what follows only from it, or passed by on the main flow. */
export type Off = "disabled" | "bypassed";

/** Whether a node stands in the main flow with something before and after it, so that input can pass it by. */
export function canPass(registry: NodeRegistry, node: NodeRecord): boolean {
  const definition = definitionOf(registry, node.type);
  const isMain = (port: { kind: string }) => port.kind === "main";
  return (
    definition !== undefined &&
    Object.values(definition.inputs).some(isMain) &&
    Object.values(definition.outputs).some(isMain)
  );
}

/** How the node is off, null while it is on. One that nothing can pass by is disabled, whatever was stored. */
export function offOf(registry: NodeRegistry, node: NodeRecord): Off | null {
  if (node.disabled !== true) return null;
  return node.stops === true || !canPass(registry, node) ? "disabled" : "bypassed";
}
