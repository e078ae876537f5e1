import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Combobox } from "../../forms/combobox.tsx";
import { modelOptions } from "../../forms/model-options.ts";
import { priceOf } from "../../engine/model/prices.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { providers } from "../../providers/index.ts";
import { replaceAllOfType } from "../../stores/commands/replace-node.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { useServices } from "../../services/services-context.tsx";
import { useModelList } from "../../stores/use-model-list.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { credentialKinds } from "./credential-kinds.ts";
import { PriceInputs, pricesOf } from "./price-inputs.tsx";

const demo = "demo-model";
const withKey = providers.filter(({ credentialTypes }) => credentialTypes.length > 0);
/** Chosen in the place of a stored credential. */
const another = "";

/** From a provider by a key that is tested to a model, which takes the place of every demo model of the open workflow. */
export default function RealModelDialog({ onClose }: { onClose: () => void }) {
  const [providerId, setProviderId] = useState(withKey[0]?.id ?? "");
  const provider = withKey.find(({ id }) => id === providerId);
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Use a real model"
      description="Choose a provider and enter your key. It is tested, encrypted on the server, and never shown again."
    >
      <div className="flex flex-col gap-4">
        <Field label="Provider">
          {(control) => (
            <Select
              {...control}
              value={providerId}
              onValueChange={setProviderId}
              options={withKey.map(({ id, title }) => ({ value: id, label: title }))}
            />
          )}
        </Field>
        {provider && <ProviderSteps key={provider.id} provider={provider} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

interface StepsProps {
  provider: ProviderDefinition;
  onClose: () => void;
}

function ProviderSteps({ provider, onClose }: StepsProps) {
  const { credentials } = useServices();
  const [chosen, setChosen] = useState<string | null>(null);
  const stored = useQuery({
    queryKey: ["credentials", "of types", provider.credentialTypes],
    queryFn: () => credentials.page({ limit: 100, types: provider.credentialTypes }),
  });
  if (stored.isPending) return <p className="text-sm text-muted">Loading your credentials…</p>;
  const known = stored.data?.rows ?? [];
  const credential = chosen ?? known[0]?.id ?? another;
  const [kind] = credentialKinds(provider.credentialTypes);
  return (
    <>
      {known.length > 0 && (
        <Field label="Credential">
          {(control) => (
            <Select
              {...control}
              value={credential}
              onValueChange={setChosen}
              options={[
                ...known.map(({ id, name }) => ({ value: id, label: name })),
                { value: another, label: "New credential" },
              ]}
            />
          )}
        </Field>
      )}
      {credential !== another ? (
        <ModelStep key={credential} provider={provider} credential={credential} onClose={onClose} />
      ) : (
        kind && (
          <CredentialForm
            kind={kind}
            submitLabel="Save and test"
            onCancel={onClose}
            onSaved={({ id }) => setChosen(id)}
          />
        )
      )}
    </>
  );
}

function ModelStep({ provider, credential, onClose }: StepsProps & { credential: string }) {
  const { context, document } = useEditor();
  const { credentials } = useServices();
  const [typed, setModel] = useState(provider.suggestedModels[0] ?? "");
  const model = typed.trim();
  const [draft, setDraft] = useState({ input: "", output: "" });
  const needsPrice =
    model !== "" && priceOf(provider.id, model) === null && hasCostBudget(document.getState().document);
  const prices = needsPrice ? pricesOf(draft) : {};
  const test = useQuery({
    queryKey: ["credentials", "tested", credential],
    queryFn: () => credentials.test(credential),
    retry: false,
    staleTime: 0,
  });
  const list = useModelList(provider, credential, useId());
  const failed = test.data?.ok === false || test.isError;

  function use() {
    const config = { credential, model, ...prices };
    const count = replaceAllOfType(context, { from: demo, to: provider.nodeType, config });
    const undo = { label: "Undo", onClick: () => document.getState().undo() };
    if (count > 0)
      context.notify({
        tone: "info",
        message: count === 1 ? "The demo model was replaced." : `${count} demo models were replaced.`,
        hint: `${provider.title} answers from the next run on.`,
        action: undo,
      });
    onClose();
  }

  return (
    <>
      {test.isFetching && (
        <p role="status" className="text-sm text-muted">
          Testing the connection…
        </p>
      )}
      {!test.isFetching && test.data?.ok === true && (
        <p role="status" className="text-sm text-success">
          The connection works.
        </p>
      )}
      {!test.isFetching && failed && (
        <Notice
          tone="danger"
          title={test.data?.message ?? test.error?.message ?? "The connection could not be tested."}
        >
          {test.data?.hint}{" "}
          <Button size="sm" onClick={() => void test.refetch()}>
            Test again
          </Button>
        </Notice>
      )}
      <Field label="Model" help="The provider's list, or any name.">
        {(control) => (
          <Combobox
            control={control}
            value={typed}
            onChange={setModel}
            options={modelOptions(provider, list.data)}
            placeholder="Model name"
          />
        )}
      </Field>
      {needsPrice && <PriceInputs model={model} draft={draft} onChange={setDraft} />}
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={model === "" || prices === undefined || test.isFetching} onClick={use}>
          {failed ? "Use it anyway" : "Use this model"}
        </Button>
      </div>
    </>
  );
}

/** Whether an agent stops at a sum of dollars, which calls without a price could not count towards. */
function hasCostBudget({ nodes }: WorkflowDocument): boolean {
  return Object.values(nodes).some(({ disabled, config }) => !disabled && typeof config["maxCostUsd"] === "number");
}
