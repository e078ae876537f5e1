import { useState } from "react";
import type { CredentialSummary } from "../../stores/services.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
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
      {list.isPending && (
        <div role="status" aria-label="Loading credentials" className="flex flex-col gap-2">
          <div className="skeleton h-16" />
          <div className="skeleton h-16" />
        </div>
      )}
      {list.isError && (
        <Notice
          tone="danger"
          title={list.error.message}
          action={
            <Button size="sm" onClick={() => void list.refetch()}>
              Try again
            </Button>
          }
        >
          {"hint" in list.error ? String(list.error.hint) : null}
        </Notice>
      )}
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
