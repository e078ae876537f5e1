import { useState } from "react";
import type { CredentialSummary } from "../../services/services.ts";
import { useSettled } from "../../state/shared/use-pages.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { CredentialRow } from "./credential-row.tsx";
import { useCredentials, useCredentialUses } from "./credential-cache.ts";
import { RemoveDialog } from "./remove-dialog.tsx";

/** So many are looked through without a search. */
const fewCredentials = 12;

/** All credentials of the user. `creating` opens the form for a new one. */
export function CredentialsView({
  creating,
  onCreating,
}: {
  creating: boolean;
  onCreating: (creating: boolean) => void;
}) {
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const list = useCredentials(settled);
  const shown = list.rows ?? [];
  const total = list.first?.total ?? 0;
  const uses = useCredentialUses(shown.map(({ id }) => id));
  const [replacing, setReplacing] = useState<CredentialSummary | null>(null);
  const [removing, setRemoving] = useState<CredentialSummary | null>(null);
  const isEmpty = list.isSuccess && total === 0 && search === "" && settled === "";
  // Where all of it is in sight, a search would only be in the way.
  const isLong = search !== "" || settled !== "" || list.hasNextPage || shown.length > fewCredentials;

  return (
    <>
      {list.isPending && <ListSkeleton label="Loading credentials" />}
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty && (
        <EmptyState
          icon="key-round"
          title="No credentials yet"
          action={
            <Button variant="primary" icon="plus" onClick={() => onCreating(true)}>
              Add a credential
            </Button>
          }
        >
          Add the key of a model provider once, then choose it by name on model nodes. The demo model needs none.
        </EmptyState>
      )}
      {isLong && <SearchField what="credentials" value={search} onChange={setSearch} className="mb-3 sm:max-w-80" />}
      {list.isSuccess && shown.length === 0 && !isEmpty && (
        <EmptyState
          icon="search"
          title={`No credential is called “${settled}”`}
          action={<Button onClick={() => setSearch("")}>Show all</Button>}
        />
      )}
      {shown.length > 0 && (
        <ul aria-label="Credentials" className="overflow-hidden rounded-lg border bg-surface">
          {shown.map((credential) => (
            <CredentialRow
              key={credential.id}
              credential={credential}
              uses={uses.data?.get(credential.id)}
              onReplace={() => setReplacing(credential)}
              onRemove={() => setRemoving(credential)}
            />
          ))}
        </ul>
      )}
      <LoadMore
        shown={shown.length}
        total={total}
        what="credentials"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
      <CredentialDialog open={creating} onOpenChange={onCreating} />
      {replacing !== null && (
        <CredentialDialog
          open
          credential={replacing}
          onOpenChange={(open) => {
            if (!open) setReplacing(null);
          }}
        />
      )}
      {removing !== null && (
        <RemoveDialog
          key={removing.id}
          credential={removing}
          uses={uses.data?.get(removing.id)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}
