import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { showNode } from "../../stores/show-node.ts";
import { Button } from "../../ui/button.tsx";

/** Selects a node and brings it into view; nothing when the workflow no longer has it. */
export function GoToNode({ nodeId }: { nodeId: string | undefined }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[nodeId ?? ""]?.title);
  if (nodeId === undefined || title === undefined) return null;
  return (
    <Button size="sm" variant="ghost" icon="scan" onClick={() => showNode(canvas, nodeId)}>
      Go to {title}
    </Button>
  );
}
