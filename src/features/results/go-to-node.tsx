import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { showNode } from "../../state/editor/show-node.ts";
import { Button } from "../../ui/buttons/button.tsx";

/** Selects a node and brings it into view; nothing when the workflow no longer has it. `framed` among other buttons. */
export function GoToNode({ nodeId, framed = false }: { nodeId: string | undefined; framed?: boolean }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[nodeId ?? ""]?.title);
  if (nodeId === undefined || title === undefined) return null;
  return (
    <Button
      size="sm"
      variant={framed ? "secondary" : "ghost"}
      icon="scan"
      className="max-w-60"
      title={title}
      onClick={() => showNode(canvas, nodeId)}
    >
      <span className="truncate">Go to {title}</span>
    </Button>
  );
}
