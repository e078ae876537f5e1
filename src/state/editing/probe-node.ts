import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** A node of a type as it would be added, to try connections with; it never gets into a document. */
export function probeNode({ type, version, title }: AnyNodeDefinition): NodeRecord {
  return { id: "\u0000probe", type, version, title, position: { x: 0, y: 0 }, config: {} };
}
