import { useState } from "react";
import type { ApiKey } from "../../services/services.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { MakeKeyDialog } from "./make-key-dialog.tsx";
import { scopeWords } from "./read-key-form.ts";
import { useApiKeys, useKeyChanges } from "./use-api-keys.ts";

/** The keys with which programs run what is published. `making` opens the form for a new one. */
export function ApiKeysView({ making, onMaking }: { making: boolean; onMaking: (making: boolean) => void }) {
  const keys = useApiKeys();
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <>
      {keys.isPending && <ListSkeleton label="Loading the API keys" />}
      {keys.isError && <LoadFailure error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState
          icon="key-round"
          title="No API keys yet"
          action={
            <Button variant="primary" icon="plus" onClick={() => onMaking(true)}>
              Create an API key
            </Button>
          }
        >
          Programs, and clients made for OpenAI, use published workflows with a key.
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <ul aria-label="API keys" className="overflow-hidden rounded-lg border bg-surface">
          {keys.data.map((key) => (
            <KeyLine key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </ul>
      )}
      {making && <MakeKeyDialog onClose={() => onMaking(false)} />}
      {revoking !== null && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function KeyLine({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, scopes, revokedAt, lastUsedAt } = apiKey;
  const isOver = revokedAt !== null || isExpired(apiKey);
  return (
    <li className="flex items-start gap-3 border-b px-4 py-3 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={`font-medium wrap-anywhere ${isOver ? "text-muted" : ""}`}>{name}</span>
          <code className="font-mono text-xs text-muted">{prefix}…</code>
          {revokedAt !== null ? (
            <Badge tone="danger">Revoked</Badge>
          ) : (
            isExpired(apiKey) && <Badge tone="warning">Expired</Badge>
          )}
        </p>
        <p className="flex flex-wrap gap-1">
          {scopeWords(scopes).map((words) => (
            <Badge key={words}>{words}</Badge>
          ))}
        </p>
        <p className="numeric text-xs text-muted">
          {spentWords(apiKey)} ·{" "}
          {lastUsedAt === null ? "Never used" : `Last used ${formatMoment(Date.parse(lastUsedAt))}`}
          {revokedAt === null && ` · ${expiryWords(apiKey)}`}
        </p>
      </div>
      {revokedAt === null && (
        <Button size="sm" onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      )}
    </li>
  );
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

function expiryWords(key: ApiKey): string {
  if (key.expiresAt === null) return "Does not expire";
  return `${isExpired(key) ? "Expired" : "Expires"} ${formatMoment(Date.parse(key.expiresAt))}`;
}

function spentWords({ spent, limits }: ApiKey): string {
  const of = (most: number | undefined) => (most === undefined ? "" : ` of $${most}`);
  return `${formatCost(spent.dayUsd)}${of(limits.dayUsd)} today, ${formatCost(spent.monthUsd)}${of(limits.monthUsd)} this month`;
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { revoke } = useKeyChanges();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Revoke “${apiKey.name}”?`}
      description="Programs that use it are refused from now on. This cannot be undone; runs that it started stay."
      footer={
        <DialogActions
          onCancel={onClose}
          variant="danger"
          busy={revoke.isPending}
          onClick={() => revoke.submit(apiKey.id, { onDone: onClose })}
        >
          Revoke
        </DialogActions>
      }
    />
  );
}
