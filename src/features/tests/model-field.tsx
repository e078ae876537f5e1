import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { providers } from "../../providers/index.ts";
import { PriceInputs } from "../../forms/price-inputs.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { CredentialChoice } from "./credential-choice.tsx";
import { isUnlisted, noPrices } from "./model-price.ts";
import type { ModelForm } from "./settings-form.ts";

interface ModelFieldProps {
  /** What the model is for; its provider, credential and model are named by themselves without. */
  label?: string;
  /** Chat models when absent. */
  kind?: "chat" | "embeddings";
  help: string;
  value: ModelForm | null;
  error?: string;
  /** The demo model is not offered: its answers follow a script. */
  isReal?: boolean;
  /** A budget counts it, so that its price has to be known. */
  isCounted?: boolean;
  onChange(model: ModelForm | null): void;
}

/** A model besides the agent's: provider, credential and model, or none. */
export function ModelField({
  label,
  kind = "chat",
  help,
  value,
  error,
  isReal = false,
  isCounted = false,
  onChange,
}: ModelFieldProps) {
  const offered = providers.filter(
    ({ id, embeddings }) => (kind === "chat" || embeddings !== undefined) && !(isReal && id === "demo"),
  );
  const modelsOf = (each: ProviderDefinition | undefined) =>
    (kind === "chat" ? each?.suggestedModels : each?.embeddings?.suggestedModels) ?? [];
  const provider = offered.find(({ id }) => id === value?.provider);
  const choose = (id: string) => {
    const chosen = offered.find((each) => each.id === id);
    onChange(chosen ? { provider: id, model: modelsOf(chosen)[0] ?? "", credential: "", ...noPrices } : null);
  };
  const named = (part: string) => (label === undefined ? part : `${label}: ${part.toLowerCase()}`);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label={label ?? "Provider"} help={help} {...(error !== undefined && value === null ? { error } : {})}>
        {(control) => (
          <Select
            {...control}
            value={value?.provider ?? "none"}
            onValueChange={choose}
            options={[
              { value: "none", label: "None" },
              ...offered.map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
        )}
      </Field>
      {value && provider && provider.credentialTypes.length > 0 && (
        <CredentialChoice
          label={named("Credential")}
          types={provider.credentialTypes}
          value={value.credential}
          onChange={(credential) => onChange({ ...value, credential })}
        />
      )}
      {value && (
        <Field label={named("Model")} {...(error === undefined ? {} : { error })}>
          {(control) => (
            <Combobox
              control={control}
              value={value.model}
              onChange={(model) => onChange({ ...value, model, ...noPrices })}
              options={modelsOf(provider).map((model) => ({ value: model }))}
              placeholder="Model name"
            />
          )}
        </Field>
      )}
      {value && (value.inputPrice !== "" || value.outputPrice !== "" || isUnlisted(value.provider, value.model)) && (
        <div className="sm:col-span-3">
          <PriceInputs
            reason={`The price of ${value.model} is not known.`}
            required={isCounted}
            hasOutput={kind === "chat"}
            draft={{ input: value.inputPrice, output: value.outputPrice }}
            onChange={({ input, output }) => onChange({ ...value, inputPrice: input, outputPrice: output })}
          />
        </div>
      )}
    </div>
  );
}
