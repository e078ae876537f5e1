import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useServices } from "../../../services/services-context.tsx";
import { knowledgeKey } from "../../../state/knowledge/collection-list.ts";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { isUnderWay } from "./source-text.ts";

/** Milliseconds between two looks while a worker is at a source, and while none is. */
const busyMs = 2_000;
const quietMs = 30_000;

/** The sources of a collection. Its documents are read anew when a reload has ended. */
export function useSources(collectionId: string) {
  const { webSources } = useServices();
  const refresh = useRefreshKnowledge();
  const sources = useQuery({
    queryKey: [...knowledgeKey, "sources", collectionId],
    queryFn: () => webSources.list(collectionId),
    refetchInterval: ({ state }) =>
      state.data?.some((source) => isUnderWay(source, Date.now())) === true ? busyMs : quietMs,
  });
  const ends = sources.data?.map(({ last }) => last?.endedAt ?? "").join();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (ends === undefined) return;
    if (known.current !== undefined && known.current !== ends) void refresh();
    known.current = ends;
  });
  return sources;
}
