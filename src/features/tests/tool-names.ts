import { definitionOf } from "../../engine/document/can-connect.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";

/** What the tools of a workflow are called; those of an MCP server are not known here. */
export function toolNames({ nodes }: WorkflowDocument): string[] {
  const names = Object.values(nodes).flatMap((node) => {
    const definition = definitionOf(nodeRegistry, node.type);
    return definition?.fixedToolNames ?? definition?.toolName?.(node) ?? [];
  });
  return [...new Set(names)];
}
