import { useEditor } from "../../state/editor/editor-context.tsx";
import { usePanelStore } from "../../state/editor/panel-store.ts";

/** Unsent text by workflow, kept while the panel shows another tab, or is still on its way. */
export const messageDrafts = new Map<string, string>();

/** Takes what is typed after Test while the chat is on its way; its input goes on with the text. */
export function MessageAhead() {
  const { workflowId } = useEditor();
  const isWanted = usePanelStore((state) => state.chatFocus > 0 && state.tab === "chat");
  if (!isWanted) return null;
  return (
    <textarea
      autoFocus
      aria-label="Message"
      className="sr-only"
      defaultValue={messageDrafts.get(workflowId) ?? ""}
      onChange={(event) => messageDrafts.set(workflowId, event.target.value)}
    />
  );
}
