import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ChunkEntry, DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { ChunkText } from "./chunk-text.tsx";
import { chunksKey } from "./knowledge-queries.ts";

const pageSize = 40;

interface DocumentViewProps {
  document: DocumentSummary;
  /** Position of the chunk to begin at and to mark; null begins at the start. */
  position: number | null;
}

/** The chunks of a document in order, as the search sees them. */
export function DocumentView({ document, position }: DocumentViewProps) {
  const { knowledge } = useServices();
  const first = Math.max(0, (position ?? 0) - 3);
  const found = useInfiniteQuery({
    queryKey: [...chunksKey(document.id), first, document.updatedAt],
    queryFn: ({ pageParam }) => knowledge.chunks(document.id, pageParam),
    initialPageParam: { from: first, limit: pageSize },
    getNextPageParam: (_last: ChunkEntry[], _pages: ChunkEntry[][], { from, limit }: ChunkPage) =>
      from + limit < document.chunks ? { from: from + limit, limit: pageSize } : null,
    getPreviousPageParam: (_first: ChunkEntry[], _pages: ChunkEntry[][], { from }: ChunkPage) =>
      from > 0 ? { from: Math.max(0, from - pageSize), limit: Math.min(pageSize, from) } : null,
  });
  const list = useRef<HTMLOListElement>(null);
  const isLoaded = found.data !== undefined;

  useEffect(() => {
    if (!isLoaded || position === null) return;
    list.current?.querySelector(`[data-position="${position}"]`)?.scrollIntoView({ block: "center" });
  }, [isLoaded, position]);

  if (found.isPending) return <ListSkeleton label="Loading chunks" />;
  if (found.isLoadingError) return <LoadFailure error={found.error} onRetry={() => void found.refetch()} />;
  const chunks = found.data.pages.flat();
  if (chunks.length === 0) {
    return (
      <EmptyState icon="file-text" title="No chunks are stored">
        The document is empty, or it is still being added.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {found.hasPreviousPage && (
        <Button
          className="self-center"
          busy={found.isFetchingPreviousPage}
          onClick={() => void found.fetchPreviousPage()}
        >
          Show what comes before
        </Button>
      )}
      <ol ref={list} aria-label="Chunks" className="flex flex-col gap-2">
        {chunks.map((chunk) => (
          <li key={chunk.id}>
            <ChunkText chunk={chunk} look={chunk.position === position ? "chosen" : "plain"} />
          </li>
        ))}
      </ol>
      {found.hasNextPage && (
        <Button className="self-center" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

interface ChunkPage {
  from: number;
  limit: number;
}
