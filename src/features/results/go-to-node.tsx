import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";

/** Selects a node and brings it into view; nothing when the workflow no longer has it. */
export function GoToNode({ nodeId }: { nodeId: string | undefined }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[nodeId ?? ""]?.title);
  if (nodeId === undefined || title === undefined) return null;
  const go = () => {
    canvas.getState().select([nodeId]);
    canvas.getState().controls?.reveal(nodeId);
  };
  return (
    <Button size="sm" variant="ghost" icon="scan" onClick={go}>
      Go to {title}
    </Button>
  );
}
