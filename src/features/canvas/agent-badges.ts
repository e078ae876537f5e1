import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { edgesOf } from "../../state/editing/edge-index.ts";

/** What an agent has: "3 tools · window". */
export function agentBadges(document: WorkflowDocument, registry: NodeRegistry, agentId: string): string {
  const { incoming } = edgesOf(document.edges, agentId);
  const wired = (kind: string) =>
    incoming.flatMap((edge) => {
      const node = document.nodes[edge.from.node];
      const definition = node && definitionOf(registry, node.type);
      return node && !node.disabled && definition?.outputs[edge.from.port]?.kind === kind ? [{ node, definition }] : [];
    });
  const tools = wired("tool").length;
  const memory = wired("memory")[0];
  const counted = tools === 0 ? "no tools" : tools === 1 ? "1 tool" : `${tools} tools`;
  return `${counted} · ${memory ? memory.node.type.replace(/-memory$/, "") : "no memory"}`;
}
