import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { type CredentialSummary, type CredentialUses, ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { useCredentialCache } from "./credential-cache.ts";
import { credentialKind } from "./credential-kinds.ts";
import { SignInStep, takesSignIn } from "./sign-in-step.tsx";
import SettingsDialog from "./settings-dialog.tsx";

interface CredentialRowProps {
  credential: CredentialSummary;
  uses: CredentialUses | undefined;
  onReplace: () => void;
  onRemove: () => void;
}

/** One credential: what may be shown of it, a test, and what can be done with it. */
export function CredentialRow({ credential, uses, onReplace, onRemove }: CredentialRowProps) {
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const [renaming, setRenaming] = useState(false);
  const [setting, setSetting] = useState(false);
  const kind = credentialKind(credential.type);

  const test = useMutation({ mutationFn: () => credentials.test(credential.id) });
  const rename = useMutation({
    mutationFn: (name: string) => credentials.rename(credential.id, name),
    onError: (error) => showError(error),
    onSettled: cache.refresh,
  });

  return (
    <li className="flex flex-col gap-2 border-b px-3 py-3 last:border-b-0 sm:px-4">
      <div className="flex items-center gap-3">
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-md bg-role-main-soft text-muted">
          <Icon name={kind?.icon ?? "key-round"} />
        </span>
        <div className="min-w-0 flex-1">
          {renaming ? (
            <NameInput
              label={`New name of ${credential.name}`}
              value={credential.name}
              onDone={(name) => {
                setRenaming(false);
                if (name !== null) rename.mutate(name);
              }}
            />
          ) : (
            <h2 className="truncate text-base font-medium">{rename.isPending ? rename.variables : credential.name}</h2>
          )}
          <p className="flex flex-wrap gap-x-2 text-xs text-muted">
            <span>{kind?.title ?? credential.type}</span>
            {credential.lastFour !== "" && !takesSignIn(credential) && (
              <span className="font-mono" aria-label={`ends with ${credential.lastFour}`}>
                ····{credential.lastFour}
              </span>
            )}
            {accessLabels(credential.settings).map((words) => (
              <span key={words}>{words}</span>
            ))}
            {credential.allowedHosts.length > 0 && (
              <span className="truncate">for {credential.allowedHosts.join(", ")}</span>
            )}
          </p>
        </div>
        <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <Menu
          trigger={<IconButton icon="ellipsis" label={`Actions for ${credential.name}`} size="sm" />}
          items={[
            {
              label: "Rename",
              icon: "pencil",
              onSelect: () => setRenaming(true),
            },
            {
              label: takesSignIn(credential) ? "Change the server" : "Replace the secret",
              icon: "refresh-cw",
              onSelect: onReplace,
            },
            ...(kind !== undefined && kind.settings.length > 0
              ? [{ label: "Access", icon: "database" as const, onSelect: () => setSetting(true) }]
              : []),
            "separator",
            { label: "Delete", icon: "trash-2", danger: true, onSelect: onRemove },
          ]}
        />
      </div>
      <Uses uses={uses} />
      {setting && kind !== undefined && (
        <SettingsDialog credential={credential} kind={kind} onClose={() => setSetting(false)} />
      )}
      {takesSignIn(credential) && (
        <div className="pl-11">
          <SignInStep credential={credential} />
        </div>
      )}
      {test.data !== undefined && !test.isPending && (
        <Notice tone={test.data.ok ? "success" : "danger"} title={test.data.message}>
          {test.data.hint}
        </Notice>
      )}
      {test.error !== null && (
        <Notice tone="danger" title={test.error.message}>
          {test.error instanceof ServiceError && test.error.hint}
        </Notice>
      )}
    </li>
  );
}

function Uses({ uses }: { uses: CredentialUses | undefined }) {
  if (uses === undefined) return null;
  const others = uses.total - uses.workflows.length;
  return (
    <p className="flex flex-wrap gap-x-1.5 pl-11 text-xs text-muted">
      Used by
      {uses.workflows.map(({ id, name }, index) => (
        <span key={id}>
          <Link href={`/w/${id}`} className="text-accent hover:underline">
            {name}
          </Link>
          {index < uses.workflows.length - 1 && ","}
        </span>
      ))}
      {others > 0 && <span>and {others.toLocaleString("en")} more</span>}
    </p>
  );
}

/** What a database's owner has decided, where it is not the default. */
function accessLabels({ schemaHints, tables }: CredentialSummary["settings"]): string[] {
  const count = Array.isArray(tables) ? tables.length : 0;
  return [
    ...(schemaHints === true ? ["schema hints"] : []),
    ...(count > 0 ? [count === 1 ? "1 table" : `${count} tables`] : []),
  ];
}
