import { useContext } from "react";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { showNode } from "../../state/editor/show-node.ts";
import { useWhy } from "../../state/assistant/use-why.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { NewConversation } from "./new-conversation.ts";
import type { AnswerFailure } from "./chat-part.ts";

/** Why there is no answer, what to do, the way to the node it happened on, and to the assistant. `runId` is empty for a remembered answer. */
export function AnswerError({ error, runId }: { error: AnswerFailure; runId: string }) {
  const { canvas } = useEditor();
  const title = useDocumentStore((state) => state.document.nodes[error.nodeId ?? ""]?.title);
  const why = useWhy(runId);
  const begin = useContext(NewConversation);
  return (
    <Notice
      tone="danger"
      title={error.message}
      action={
        <div className="flex flex-wrap gap-2">
          {error.nodeId !== undefined && title !== undefined && (
            <Button
              size="sm"
              className="max-w-60"
              title={title}
              onClick={() => error.nodeId !== undefined && showNode(canvas, error.nodeId)}
            >
              <span className="truncate">Go to {title}</span>
            </Button>
          )}
          {error.code === "context_length" && begin && (
            <Button size="sm" icon="plus" onClick={begin}>
              New conversation
            </Button>
          )}
          {why && (
            <Button size="sm" icon="sparkles" onClick={why}>
              Why did this fail?
            </Button>
          )}
        </div>
      }
    >
      {error.hint}
    </Notice>
  );
}
