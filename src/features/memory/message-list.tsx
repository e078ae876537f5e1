import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Message } from "../../engine/model/message.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import type { MemoryEntry, SessionAddress } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { useRefreshMemory } from "./memory-queries.ts";
import { MessageRow } from "./message-row.tsx";

/** Messages that are in the page at first, and that each step adds. */
const firstShown = 100;

/** A conversation's messages, oldest first; each can be edited and deleted. */
export function MessageList({ session, entries }: { session: SessionAddress; entries: readonly MemoryEntry[] }) {
  const { memory } = useServices();
  const refresh = useRefreshMemory();
  const [shown, setShown] = useState(firstShown);
  const hidden = Math.max(0, entries.length - shown);

  const changing = useMutation({
    mutationFn: ({ entry, message }: { entry: MemoryEntry; message: Message | null }) =>
      memory.replace(session, entry, message),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  if (entries.length === 0) return <p className="px-4 py-3 text-muted">This conversation has no messages.</p>;
  return (
    <>
      {hidden > 0 && (
        <div className="flex justify-center border-b py-2">
          <Button size="sm" variant="ghost" icon="arrow-up" onClick={() => setShown(shown + firstShown)}>
            Show {Math.min(hidden, firstShown)} earlier of {hidden}
          </Button>
        </div>
      )}
      <ol aria-label="Messages" className="border-b">
        {entries.slice(hidden).map((entry) => (
          <MessageRow
            key={entry.id}
            entry={entry}
            busy={changing.isPending && changing.variables.entry.id === entry.id}
            onChange={(message) => changing.mutateAsync({ entry, message }).then(() => undefined)}
          />
        ))}
      </ol>
    </>
  );
}
