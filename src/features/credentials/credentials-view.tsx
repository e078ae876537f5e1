import { useState } from "react";
import type { CredentialSummary } from "../../stores/services.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { CredentialRow } from "./credential-row.tsx";
import { useCredentials, useCredentialUses } from "./credential-cache.ts";
import { RemoveDialog } from "./remove-dialog.tsx";

/** All credentials of the user. `creating` opens the form for a new one. */
export function CredentialsView({
  creating,
  onCreating,
}: {
  creating: boolean;
  onCreating: (creating: boolean) => void;
}) {
  const list = useCredentials();
  const uses = useCredentialUses();
  const [replacing, setReplacing] = useState<CredentialSummary | null>(null);
  const [removing, setRemoving] = useState<CredentialSummary | null>(null);
  const usesOf = (id: string) => (uses.data ?? []).filter((use) => use.credentialId === id);

  return (
    <>
      {list.isPending && <ListSkeleton label="Loading credentials" />}
      {list.isError && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <div className="rounded-lg border bg-surface">
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
        </div>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {list.data.map((credential) => (
            <CredentialRow
              key={credential.id}
              credential={credential}
              uses={usesOf(credential.id)}
              onReplace={() => setReplacing(credential)}
              onRemove={() => setRemoving(credential)}
            />
          ))}
        </ul>
      )}
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
      <RemoveDialog
        credential={removing}
        uses={removing === null ? [] : usesOf(removing.id)}
        onClose={() => setRemoving(null)}
      />
    </>
  );
}
