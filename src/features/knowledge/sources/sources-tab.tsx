import { useState } from "react";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { SourceSummary } from "../../../services/web-sources.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { DeleteSourceDialog } from "./delete-source-dialog.tsx";
import { SourceDialog } from "./source-dialog.tsx";
import { SourceRow } from "./source-row.tsx";
import { useSources } from "./use-sources.ts";

type Open = { type: "new" } | { type: "edit" | "delete"; source: SourceSummary } | null;

/** Pages of the web that a collection follows. */
export function SourcesTab({ collection }: { collection: CollectionSummary }) {
  const [open, setOpen] = useState<Open>(null);
  const sources = useSources(collection.id);
  const add = (
    <Button icon="plus" onClick={() => setOpen({ type: "new" })}>
      Add source
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <div className="flex flex-col gap-4">
      {sources.isPending ? (
        <ListSkeleton label="Loading sources" />
      ) : sources.isLoadingError ? (
        <LoadFailure error={sources.error} onRetry={() => void sources.refetch()} />
      ) : sources.data === undefined || sources.data.length === 0 ? (
        <EmptyState icon="globe" title="No sources yet" action={add}>
          A page, a sitemap, a site or a feed. Its pages become documents, and a worker keeps them up to date.
        </EmptyState>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted">Kept up to date by a worker, which follows each site’s robots.txt.</p>
            {add}
          </div>
          <ul aria-label="Sources" className="overflow-hidden rounded-lg border bg-surface">
            {sources.data.map((source) => (
              <SourceRow
                key={source.id}
                source={source}
                collection={collection}
                onEdit={() => setOpen({ type: "edit", source })}
                onDelete={() => setOpen({ type: "delete", source })}
              />
            ))}
          </ul>
        </>
      )}
      {open?.type === "new" && <SourceDialog collection={collection} onClose={close} />}
      {open?.type === "edit" && <SourceDialog collection={collection} source={open.source} onClose={close} />}
      {open?.type === "delete" && <DeleteSourceDialog source={open.source} onClose={close} />}
    </div>
  );
}
