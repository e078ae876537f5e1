import { useQuery } from "@tanstack/react-query";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { RunStore } from "../../state/run/run-store.ts";
import { readEarlier, turnsOf } from "./chat-turns.ts";

const openings = new WeakMap<RunStore, number>();
let nextOpening = 0;

/**
 * Tells one opening of a workflow from the next: its runs are turns of the chat and must not come from memory
 * as well. Who comes back to runs that went on finds the same opening.
 */
function openingOf(runs: RunStore): number {
  const known = openings.get(runs);
  if (known !== undefined) return known;
  openings.set(runs, nextOpening);
  return nextOpening++;
}

/**
 * What the conversation held when it was opened, read once; later turns are runs of this tab. It is read anew when the memory
 * was changed by hand, and then holds turns of this tab as well.
 */
export function useEarlierMessages(sessionId: string) {
  const editor = useEditor();
  const { memory, runs } = useServices();
  return useQuery({
    queryKey: ["earlier-messages", editor.workflowId, sessionId, openingOf(editor.runs)],
    queryFn: () =>
      readEarlier(
        async () => {
          const [messages, known] = await Promise.all([
            memory.messages(editor.workflowId, sessionId),
            // The conversation is more than what the history adds to it.
            runs.ofConversation(editor.workflowId, sessionId).catch(() => []),
          ]);
          return { messages, runs: known };
        },
        () => {
          const held = editor.runs.getState();
          return { turns: turnsOf(held.started, held, sessionId), held };
        },
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
