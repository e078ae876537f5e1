import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Combobox } from "../../forms/combobox.tsx";
import { modelOptions, modelWarning, preferredModel } from "../../forms/model-options.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import type { CredentialSummary } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { useModelList } from "../../state/credential/use-model-list.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { PriceInputs, pricesOf } from "./price-inputs.tsx";
import { catalogAt, needsPrice, useChosenModel } from "./use-chosen-model.ts";

interface ModelStepProps {
  provider: ProviderDefinition;
  credential: CredentialSummary;
  /** It was tried a moment ago, and works. */
  tested: boolean;
  onClose: () => void;
}

/** Which of the models that the credential leads to takes the demo model's place. */
export function ModelStep({ provider, credential, tested, onClose }: ModelStepProps) {
  const { credentials } = useServices();
  const document = useDocumentStore((state) => state.document);
  const put = useChosenModel();
  const test = useQuery({
    queryKey: ["credentials", "tested", credential.id],
    queryFn: () => credentials.test(credential.id),
    enabled: !tested,
    retry: false,
    staleTime: 0,
  });
  const works = tested || test.data?.ok === true;
  const failure = test.isFetching || works ? null : test.data?.ok === false ? test.data : test.error;

  const list = useModelList(provider, credential.id, useId());
  const [typed, setTyped] = useState<string | null>(null);
  const usual = list.data ? preferredModel(provider.suggestedModels, list.data) : undefined;
  const shown = typed ?? usual ?? (list.isError ? (provider.suggestedModels[0] ?? "") : "");
  const model = shown.trim();

  const [draft, setDraft] = useState({ input: "", output: "" });
  const wantsPrice = needsPrice({ provider, credential, model }, document);
  const prices = wantsPrice ? pricesOf(draft) : {};
  const isReady = model !== "" && prices !== undefined && !test.isFetching;

  function use() {
    if (prices === undefined) return;
    put({ provider, credential, model, prices });
    onClose();
  }

  return (
    <>
      {test.isFetching && (
        <p role="status" className="text-sm text-muted">
          Testing the connection…
        </p>
      )}
      {works && (
        <p role="status" className="flex items-center gap-1.5 text-sm text-success">
          <Icon name="circle-check" />
          The connection works.
        </p>
      )}
      {failure !== null && (
        <div className="-mt-3 flex flex-wrap items-start gap-2">
          <p role="alert" className="flex min-w-40 flex-1 gap-1 text-xs text-danger">
            <Icon name="circle-alert" size={14} />
            <span>
              {failure.message} {"hint" in failure ? failure.hint : errorHint(failure)}
            </span>
          </p>
          <Button size="sm" onClick={() => void test.refetch()}>
            Test again
          </Button>
        </div>
      )}
      <Field
        label="Model"
        required
        {...(failure === null
          ? helpOf(list, model, catalogAt(provider, credential))
          : { help: "Type the model's name." })}
      >
        {(control) => (
          <Combobox
            control={control}
            value={shown}
            onChange={setTyped}
            options={modelOptions(provider, list.data)}
            placeholder={list.isFetching ? "Loading the list…" : "Model name"}
          />
        )}
      </Field>
      {wantsPrice && <PriceInputs model={model} draft={draft} onChange={setDraft} />}
      <div className="flex justify-end gap-2 pt-1 max-sm:[&>button]:flex-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={failure === null ? "primary" : "secondary"} disabled={!isReady} onClick={use}>
          {failure === null ? "Use this model" : "Use it without testing"}
        </Button>
      </div>
    </>
  );
}

/** Where the names come from, or what is wrong with the list or the name. */
function helpOf(
  list: ReturnType<typeof useModelList>,
  model: string,
  catalog: string,
): { help: string } | { error: string } {
  if (list.data === undefined) {
    if (!list.isError) return { help: "Loading the list of models…" };
    return { help: `The list of models could not be loaded: ${list.error?.message ?? ""} Type the model's name.` };
  }
  if (list.data.length === 0) return { error: "The server has no models yet. Load one there, then open this again." };
  const count = list.data.length === 1 ? "1 model" : `${list.data.length.toLocaleString("en")} models`;
  return { help: modelWarning(model, list.data, catalog) ?? `${count} in the provider's list.` };
}
