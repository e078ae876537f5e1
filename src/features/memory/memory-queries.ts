import { useQuery, useQueryClient } from "@tanstack/react-query";
import { readScratchpad } from "../../engine/agent/scratchpad.ts";
import { sideSession } from "../../engine/agent/session-sides.ts";
import { readSummary } from "../../nodes/memories/rolling-summary.ts";
import { useEditor, useRunStore, useServices } from "../../stores/editor-context.tsx";
import type { SessionAddress } from "../../stores/services.ts";
import { toConversations } from "./conversations.ts";
import type { NamedPlace } from "./memory-places.ts";

/** How many runs of this tab have ended: each may have changed what is remembered. */
function useEndedRuns(): number {
  return useRunStore((state) => state.started.filter((runId) => state.runs[runId]?.status !== "running").length);
}

/** The conversations that one place holds for the open workflow. */
export function useConversations({ key, place }: NamedPlace) {
  const { workflowId } = useEditor();
  const { memory } = useServices();
  const ended = useEndedRuns();
  return useQuery({
    queryKey: ["memory", "sessions", key, workflowId, ended],
    queryFn: async () => toConversations(await memory.sessions(place, workflowId)),
    staleTime: 0,
    placeholderData: (before) => before,
  });
}

/** A session with what is kept beside it. */
export function useSession(placeKey: string, session: SessionAddress) {
  const { memory } = useServices();
  const ended = useEndedRuns();
  return useQuery({
    queryKey: ["memory", "session", placeKey, session.workflowId, session.sessionId, ended],
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
