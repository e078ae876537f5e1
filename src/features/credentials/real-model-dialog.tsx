import { useState } from "react";
import type { JsonObject } from "../../engine/json.ts";
import type { CredentialSummary } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { credentialLabel } from "../../state/credential/credential-label.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useModelCredentials } from "./credential-cache.ts";
import { credentialKinds } from "./credential-kinds.ts";
import { KeyForm } from "./key-form.tsx";
import { LocalModels } from "./local-models.tsx";
import { providersWithKey } from "./model-credential-types.ts";
import { ModelStep } from "./model-step.tsx";
import { ProviderTiles } from "./provider-tiles.tsx";

/** Chosen in the place of a stored credential. */
const another = "";

/** From a key that works, stored or new, to a model, which takes the place of every demo model of the open workflow. */
export default function RealModelDialog({ onClose }: { onClose: () => void }) {
  const stored = useModelCredentials();
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Use a real model"
      description="Keys are tested, encrypted on the server, and never shown again."
    >
      <div className="flex flex-col gap-4">
        {stored.isPending && <p className="text-sm text-muted">Loading your credentials…</p>}
        {stored.isError && <LoadFailure error={stored.error} onRetry={() => void stored.refetch()} />}
        {stored.isSuccess && <Steps known={stored.data.rows} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

function Steps({ known, onClose }: { known: readonly CredentialSummary[]; onClose: () => void }) {
  const { findLocalModels } = useServices().credentials;
  const [chosen, setChosen] = useState<string | null>(null);
  const [providerId, setProviderId] = useState(providersWithKey[0]?.id ?? "");
  const [typed, setTyped] = useState<Readonly<Record<string, JsonObject>>>({});
  /** Made in this dialog; the list may not have it yet. */
  const [made, setMade] = useState<{ credential: CredentialSummary; tested: boolean } | null>(null);

  const all = made === null || known.some(({ id }) => id === made.credential.id) ? known : [made.credential, ...known];
  const credential = all.find(({ id }) => id === (chosen ?? known[0]?.id));
  const provider = providersWithKey.find((each) =>
    credential === undefined ? each.id === providerId : each.credentialTypes.includes(credential.type),
  );
  const [kind] = credentialKinds(provider?.credentialTypes ?? []);
  if (provider === undefined || kind === undefined) return null;
  const local = findLocalModels !== null && made === null && <LocalModels find={findLocalModels} onUsed={onClose} />;
  return (
    <>
      {credential !== undefined && local}
      {all.length > 0 && (
        <Field label="Credential">
          {(control) => (
            <Select
              {...control}
              value={credential?.id ?? another}
              onValueChange={setChosen}
              options={[
                ...all.map((each) => ({ value: each.id, label: credentialLabel(each) })),
                { value: another, label: "New credential" },
              ]}
            />
          )}
        </Field>
      )}
      {credential === undefined ? (
        <>
          <ProviderTiles providers={providersWithKey} chosen={provider.id} onChoose={setProviderId} />
          {local}
          <KeyForm
            key={kind.type}
            kind={kind}
            fields={typed[kind.type] ?? {}}
            onChange={(fields) => setTyped((before) => ({ ...before, [kind.type]: fields }))}
            onCancel={onClose}
            onSaved={(saved, tested) => {
              setMade({ credential: saved, tested });
              setChosen(saved.id);
            }}
          />
        </>
      ) : (
        <ModelStep
          key={credential.id}
          provider={provider}
          credential={credential}
          tested={made?.credential.id === credential.id && made.tested}
          onClose={onClose}
        />
      )}
    </>
  );
}
