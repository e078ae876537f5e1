import { type MemoryPlace, sideSession } from "../../engine/memory/memory.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { readScratchpad } from "../../engine/memory/scratchpad.ts";
import { readSummary } from "../../nodes/memories/rolling-summary.ts";
import { useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { Conversation, PagePlace, PageRequest, SessionAddress } from "../../services/services.ts";
import { usePages, useSettled } from "../../state/shared/use-pages.ts";
import type { NamedPlace } from "./memory-places.ts";

/** The conversations that one place holds for the open workflow, the latest used first. */
export function useConversations({ key, place }: NamedPlace, search: string) {
  const { workflowId } = useEditor();
  const { memory } = useServices();
  return usePages(["memory", "sessions", key, workflowId, search], (request) =>
    memory.conversations(place, workflowId, { ...request, search }),
  );
}

/** A conversation of the open workflow by its name; undefined where there is none, or as long as that is not known. */
export function useConversation(place: MemoryPlace, typed: string): Conversation | undefined {
  const { workflowId } = useEditor();
  const { memory } = useServices();
  const sessionId = useSettled(typed);
  const { data } = useQuery({
    queryKey: ["memory", "called", place, workflowId, sessionId],
    queryFn: async () => {
      for (let after: PagePlace | null = null; ;) {
        const request: PageRequest = { search: sessionId, limit: 200, ...(after === null ? {} : { after }) };
        const page = await memory.conversations(place, workflowId, { ...request, ownOnly: true });
        const found = page.rows.find((conversation) => conversation.sessionId === sessionId);
        if (found !== undefined || page.next === null) return found ?? null;
        after = page.next;
      }
    },
    staleTime: 0,
  });
  return sessionId === typed ? (data ?? undefined) : undefined;
}

/** A session with what is kept beside it. */
export function useSession(placeKey: string, session: SessionAddress) {
  const { memory } = useServices();
  return useQuery({
    queryKey: ["memory", "session", placeKey, session.workflowId, session.sessionId],
    queryFn: async () => {
      const [entries, pad, summaries] = await Promise.all([
        memory.entries(session),
        memory.entries(besides(session, "scratchpad")),
        memory.entries(besides(session, "summary")),
      ]);
      const summaryEntry = summaries.at(-1);
      return {
        entries,
        padEntry: pad.at(-1),
        notes: readScratchpad(pad.map((entry) => entry.message)),
        summaryEntry,
        summary: readSummary(summaryEntry?.message),
      };
    },
    staleTime: 0,
    placeholderData: (before) => before,
  });
}

export type SessionContent = NonNullable<ReturnType<typeof useSession>["data"]>;

/** Where a session's scratchpad or summary is kept. */
export function besides(session: SessionAddress, side: "scratchpad" | "summary"): SessionAddress {
  return { ...session, sessionId: sideSession(session.sessionId, side) };
}

/** How what a person adds is to be stored: as the open workflow's memories store what they write. */
export function useEncryption(): { encrypt: boolean } {
  return { encrypt: useDocumentStore(({ document }) => document.privacy?.encryptConversations === true) };
}

/** Reads everything that is remembered anew, the chat's earlier messages included. */
export function useRefreshMemory(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["memory"] }),
      queries.invalidateQueries({ queryKey: ["chat-sessions"] }),
      queries.invalidateQueries({ queryKey: ["earlier-messages"] }),
    ]);
  };
}
