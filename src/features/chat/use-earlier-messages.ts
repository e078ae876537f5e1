import { useQuery } from "@tanstack/react-query";
import { type Editor, useEditor, useServices } from "../../stores/editor-context.tsx";

const openings = new WeakMap<Editor, number>();
let nextOpening = 0;

/** Tells one opening of a workflow from the next: its runs are turns of the chat and must not come from memory as well. */
function openingOf(editor: Editor): number {
  const known = openings.get(editor);
  if (known !== undefined) return known;
  openings.set(editor, nextOpening);
  return nextOpening++;
}

/** What the conversation held when it was opened, read once; later turns are runs of this tab. */
export function useEarlierMessages(sessionId: string) {
  const editor = useEditor();
  const { memory } = useServices();
  return useQuery({
    queryKey: ["earlier-messages", editor.workflowId, sessionId, openingOf(editor)],
    queryFn: () => memory.messages(editor.workflowId, sessionId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
