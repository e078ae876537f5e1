import { nodeSlugs } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { pathAt, pointerKeys } from "../../engine/template/path-at.ts";

/**
 * The template expressions of a node's data by their JSON Pointer: its input as the node itself reads it, its output as the
 * nodes after it do.
 */
export function dataExpression(
  document: WorkflowDocument,
  nodeId: string,
  side: "input" | "output",
  value: Json | undefined,
): (pointer: string) => string | undefined {
  const slug = nodeSlugs(document).get(nodeId);
  return (pointer) => {
    const keys = pointerKeys(pointer);
    if (side === "input") return pathAt("json", value, keys);
    return slug === undefined ? undefined : pathAt("nodes", { [slug]: value ?? null }, [slug, ...keys]);
  };
}
