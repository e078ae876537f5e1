import type { MemoryPlace } from "../../engine/memory/memory.ts";
import { useQuery } from "@tanstack/react-query";
import type { SessionKey } from "../../engine/host.ts";
import { useServices } from "../editor/editor-context.tsx";
import { titleName, titlesKey } from "./known-titles.ts";

/** What conversations of a place are called: the beginning of the first question of each, undefined where there is none yet. */
export function useConversationTitles(place: MemoryPlace, sessions: readonly SessionKey[]) {
  const { memory } = useServices();
  const keys = sessions.map(({ workflowId, sessionId }) => ({ workflowId, sessionId }));
  const { data } = useQuery({
    queryKey: [...titlesKey, place, keys],
    queryFn: async () => {
      const titles = await memory.titles(place, keys);
      return Object.fromEntries(
        keys.flatMap((key, index): [string, string][] => {
          const title = titles[index] ?? null;
          return title === null ? [] : [[titleName(key), title]];
        }),
      );
    },
    enabled: keys.length > 0,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  return (session: SessionKey): string | undefined => data?.[titleName(session)];
}

/** Why a search finds some conversations by their ids alone; undefined where it finds all by their words. */
export function unsearchedNote(count = 0): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? "One conversation is encrypted. It is found by its session id only, since the database cannot read its text."
    : `${count} conversations are encrypted. They are found by their session ids only, since the database cannot read their text.`;
}
