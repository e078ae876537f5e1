import type { RunErrorData } from "../../engine/run/errors.ts";
import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { showNode } from "../../stores/show-node.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Why there is no answer, what to do, and the way to the node it happened on. */
export function AnswerError({ error }: { error: RunErrorData }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[error.nodeId ?? ""]?.title);
  return (
    <Notice
      tone="danger"
      title={error.message}
      action={
        error.nodeId !== undefined &&
        title !== undefined && (
          <Button
            size="sm"
            className="max-w-60"
            title={title}
            onClick={() => error.nodeId !== undefined && showNode(canvas, error.nodeId)}
          >
            <span className="truncate">Go to {title}</span>
          </Button>
        )
      }
    >
      {error.hint}
    </Notice>
  );
}
