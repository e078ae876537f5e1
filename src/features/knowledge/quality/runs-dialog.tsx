import { useQuery } from "@tanstack/react-query";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { knowledgeKey } from "../../../state/knowledge/collection-list.ts";
import { counted } from "../ingest-text.ts";
import { recentSearches, type RunSearch } from "./run-searches.ts";

interface RunsDialogProps {
  collection: CollectionSummary;
  /** Questions that there are already. */
  taken: readonly string[];
  onChoose: (search: RunSearch) => void;
  onClose: () => void;
}

/** What agents looked for in this collection lately; one becomes a question. */
export function RunsDialog({ collection, taken, onChoose, onClose }: RunsDialogProps) {
  const services = useServices();
  const searches = useQuery({
    queryKey: [...knowledgeKey, "quality", collection.id, "searches of runs"],
    queryFn: ({ signal }) => recentSearches(services, collection.name, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const shown = searches.data?.filter(({ query }) => !taken.includes(query)) ?? [];
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title="Take a question from runs"
      description="What agents looked for in this collection in the last 30 runs. Choose a search, then mark which passages were right."
    >
      {searches.isPending ? (
        <ListSkeleton label="Looking through runs" />
      ) : searches.isLoadingError ? (
        <LoadFailure error={searches.error} onRetry={() => void searches.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState icon="search" title="No searches found">
          The last runs have no new search of an agent in “{collection.name}” that found something.
        </EmptyState>
      ) : (
        <ul aria-label="Searches of runs" className="divide-y rounded-md border">
          {shown.map((search) => (
            <li key={search.query} className="flex items-center gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{search.query}</p>
                <p className="text-xs text-muted numeric">{counted(search.found.length, "passage")} found</p>
              </div>
              <Button size="sm" onClick={() => onChoose(search)}>
                Choose
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
