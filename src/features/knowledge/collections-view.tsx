import { useState } from "react";
import { useLocation } from "wouter";
import { useSettled } from "../../state/shared/use-pages.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { useCollectionActions } from "./collection-actions.ts";
import { CollectionRow } from "./collection-row.tsx";
import { useCollectionPages } from "./knowledge-queries.ts";
import { NewCollectionDialog } from "./new-collection-dialog.tsx";

/** So many are looked through without a search. */
const fewCollections = 12;

/** All collections of the account. `making` opens the form for a new one. */
export function CollectionsView({ making, onMaking }: { making: boolean; onMaking: (making: boolean) => void }) {
  const [, navigate] = useLocation();
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const list = useCollectionPages(settled);
  const shown = list.rows ?? [];
  const isEmpty = list.first?.total === 0 && search === "" && settled === "";
  const isLong = search !== "" || settled !== "" || list.hasNextPage || shown.length > fewCollections;
  const actions = useCollectionActions();
  return (
    <>
      {list.isPending && <ListSkeleton label="Loading collections" />}
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty && (
        <EmptyState
          icon="book-open"
          title="No collections yet"
          action={
            <Button variant="primary" icon="plus" onClick={() => onMaking(true)}>
              Create a collection
            </Button>
          }
        >
          A collection holds documents that an agent can search and quote. Add text, files or web pages; searching by
          words needs no key.
        </EmptyState>
      )}
      {isLong && <SearchField what="collections" value={search} onChange={setSearch} className="mb-3 sm:max-w-80" />}
      {list.isSuccess && shown.length === 0 && !isEmpty && (
        <EmptyState
          icon="search"
          title={`No collection is called “${settled}”`}
          action={<Button onClick={() => setSearch("")}>Show all</Button>}
        />
      )}
      {shown.length > 0 && (
        <ul aria-label="Collections" className="overflow-hidden rounded-lg border bg-surface">
          {shown.map((collection) => (
            <CollectionRow key={collection.id} collection={collection} actions={actions} />
          ))}
        </ul>
      )}
      <LoadMore
        shown={shown.length}
        total={list.first?.total ?? 0}
        what="collections"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
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
