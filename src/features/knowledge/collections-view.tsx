import { useLocation } from "wouter";
import { useCollections } from "../../stores/collection-list.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { useCollectionActions } from "./collection-actions.ts";
import { CollectionRow } from "./collection-row.tsx";
import { NewCollectionDialog } from "./new-collection-dialog.tsx";

/** All collections of the account. `making` opens the form for a new one. */
export function CollectionsView({ making, onMaking }: { making: boolean; onMaking: (making: boolean) => void }) {
  const [, navigate] = useLocation();
  const list = useCollections();
  const actions = useCollectionActions();
  return (
    <>
      {list.isPending && <ListSkeleton label="Loading collections" />}
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <div className="rounded-lg border bg-surface">
          <EmptyState
            icon="book-open"
            title="No collections yet"
            action={
              <Button variant="primary" icon="plus" onClick={() => onMaking(true)}>
                Make a collection
              </Button>
            }
          >
            A collection holds documents that an agent can search and quote. Add text, files or web pages; searching by
            words needs no key.
          </EmptyState>
        </div>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul aria-label="Collections" className="overflow-hidden rounded-lg border bg-surface">
          {list.data.map((collection) => (
            <CollectionRow key={collection.id} collection={collection} actions={actions} />
          ))}
        </ul>
      )}
      {making && (
        <NewCollectionDialog
          onClose={() => onMaking(false)}
          onMade={({ id }) => {
            onMaking(false);
            navigate(`/knowledge/${id}`);
          }}
        />
      )}
    </>
  );
}
