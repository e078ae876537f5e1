import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { placeOfMemory } from "../../state/conversation/memory-place.ts";

/** What of a conversation a reload would not bring back, in a sentence; empty where the chat shows it again. */
export function memoryNotice(
  { nodes, edges }: Pick<WorkflowDocument, "nodes" | "edges">,
  registry: NodeRegistry,
): string {
  const history = "The runs themselves stay in the History tab.";
  const memories = Object.values(edges).flatMap(({ from, to }) => {
    const node = nodes[from.node];
    const usable = node !== undefined && node.disabled !== true && registry[node.type]?.role === "memory";
    return usable && nodes[to.node]?.disabled !== true ? [node] : [];
  });
  if (memories.length === 0) return `No memory is connected: a reload of the page ends this conversation. ${history}`;
  const places = memories.map((node) => placeOfMemory(registry, node)?.storage);
  if (places.includes("postgres")) return "";
  if (places.includes("tab"))
    return `The memory is kept in this tab: a reload of the page ends this conversation. ${history}`;
  return "The memory is kept in Redis: after a reload the agent still knows this conversation; the chat shows it in the Memory tab.";
}
