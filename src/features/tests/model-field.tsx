import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { providers } from "../../providers/index.ts";
import { useCredentialChoices } from "../../stores/choices.ts";
import { Field } from "../../ui/fields/field.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { Select } from "../../ui/fields/select.tsx";
import type { ModelForm } from "./settings-form.ts";

interface ModelFieldProps {
  /** What the model is for; its provider, credential and model are named by themselves without. */
  label?: string;
  /** Chat models when absent. */
  kind?: "chat" | "embeddings";
  help: string;
  value: ModelForm | null;
  error?: string;
  onChange(model: ModelForm | null): void;
}

/** A model besides the agent's: provider, credential and model, or none. */
export function ModelField({ label, kind = "chat", help, value, error, onChange }: ModelFieldProps) {
  const offered = kind === "chat" ? providers : providers.filter(({ embeddings }) => embeddings !== undefined);
  const modelsOf = (each: ProviderDefinition | undefined) =>
    (kind === "chat" ? each?.suggestedModels : each?.embeddings?.suggestedModels) ?? [];
  const provider = offered.find(({ id }) => id === value?.provider);
  const choose = (id: string) => {
    const chosen = offered.find((each) => each.id === id);
    onChange(chosen ? { provider: id, model: modelsOf(chosen)[0] ?? "", credential: "" } : null);
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
              onChange={(model) => onChange({ ...value, model })}
              options={modelsOf(provider).map((model) => ({ value: model }))}
              placeholder="Model name"
            />
          )}
        </Field>
      )}
    </div>
  );
}

interface CredentialChoiceProps {
  label: string;
  types: readonly string[];
  value: string;
  onChange(credential: string): void;
}

function CredentialChoice({ label, types, value, onChange }: CredentialChoiceProps) {
  const { options, missing, searched, isError } = useCredentialChoices(types, value);
  return (
    <Field
      label={label}
      help="Add keys on the page Credentials."
      {...(isError ? { error: "The credentials could not be loaded. Reload the page." } : {})}
    >
      {(control) => (
        <SearchedSelect
          {...control}
          {...searched}
          what="credentials"
          value={value}
          onValueChange={onChange}
          placeholder={options.length === 0 ? "None saved yet" : "Choose a credential"}
          options={[...(missing ? [{ value, label: "A credential this account does not have" }] : []), ...options]}
        />
      )}
    </Field>
  );
}
