import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { useCredentialChoices } from "../../state/shared/choices.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { Select } from "../../ui/fields/select.tsx";
import {
  embeddingCredentials,
  embeddingCredentialsKey,
  embeddingProviders,
  modelFor,
  usualEmbedding,
} from "./embedding-choices.ts";
import { useListedEmbeddings, useListEmbeddings } from "./use-listed-embeddings.ts";
import { useKnowledgeSlots } from "./knowledge-slots.tsx";

interface EmbeddingFieldsProps {
  /** Names the choice; under a heading that says "Embeddings" already, what is chosen. */
  label?: string;
  value: KnowledgeEmbedding | null;
  onChange: (change: (before: KnowledgeEmbedding | null) => KnowledgeEmbedding | null) => void;
  /** What is missing, once it was tried. */
  error?: string;
  /** Why the model that is chosen does not fit. */
  modelError?: string | undefined;
}

/** Who turns chunks into vectors: nobody (keyword only), or a provider with a credential and a model. */
export function EmbeddingFields({ label = "Embeddings", value, onChange, error, modelError }: EmbeddingFieldsProps) {
  const { credentials } = useServices();
  const stored = useQuery({ queryKey: embeddingCredentialsKey, queryFn: () => embeddingCredentials(credentials) });
  const provider = embeddingProviders.find(({ id }) => id === value?.provider);
  const needsKey = (provider?.credentialTypes.length ?? 0) > 0;
  const list = useListEmbeddings();
  const { models, note } = useListedEmbeddings(provider, value?.credential ?? "");
  const set = (part: Partial<KnowledgeEmbedding>) => onChange((before) => before && { ...before, ...part });
  /** Chooses a provider or a credential, and with it the model that its server lists, unless another one was typed meanwhile. */
  const choose = async (next: KnowledgeEmbedding | null) => {
    onChange(() => next);
    if (next === null || next.credential === "") return;
    const model = await modelFor(next, list).catch(() => "");
    onChange((before) => (before === next ? { ...next, model } : before));
  };
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={label}
        help={helpOf(value, needsKey)}
        error={provider === undefined || !needsKey ? error : undefined}
      >
        {(control) => (
          <Select
            {...control}
            value={value?.provider ?? "none"}
            onValueChange={(id) => void choose(id === "none" ? null : usualEmbedding(id, stored.data ?? []))}
            options={[
              { value: "none", label: "Keyword only" },
              ...embeddingProviders.map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
        )}
      </Field>
      {value !== null && needsKey && (
        <CredentialField
          types={provider?.credentialTypes ?? []}
          value={value.credential}
          error={error}
          onChange={(credential) => {
            const usual = usualEmbedding(value.provider, []);
            void choose({ ...value, credential, model: usual?.model === "" ? "" : value.model });
          }}
        />
      )}
      {value !== null && (
        <Field
          label="Embedding model"
          help={note ?? "Vectors of two models cannot be compared, so changing it embeds everything again."}
          error={modelError}
        >
          {(control) => (
            <Combobox
              control={control}
              value={value.model}
              onChange={(model) => set({ model })}
              options={models.map((model) => ({ value: model }))}
              placeholder="Model name"
            />
          )}
        </Field>
      )}
    </div>
  );
}

function helpOf(value: KnowledgeEmbedding | null, needsKey: boolean): string {
  if (value === null) return "Finds documents by their words and tolerates typos. Needs no key and costs nothing.";
  return needsKey
    ? "Also finds documents by meaning. Each chunk is sent to the provider once."
    : "Created in this browser, without a key: for trying things out.";
}

interface CredentialFieldProps {
  types: readonly string[];
  value: string;
  help?: string;
  error?: string | undefined;
  onChange: (credential: string) => void;
}

/** A credential of these types, or a new one. */
export function CredentialField({
  types,
  value,
  help = "Signs the embedding requests. Only its id is kept here.",
  error,
  onChange,
}: CredentialFieldProps) {
  const { CredentialDialog } = useKnowledgeSlots();
  const [making, setMaking] = useState(false);
  const { options, missing, searched, isError } = useCredentialChoices(types, value);
  return (
    <>
      <Field
        label="Credential"
        required
        error={error ?? (isError ? "The credentials could not be loaded. Reload the page." : undefined)}
        help={help}
      >
        {(control) => (
          <div className="flex gap-1.5">
            <SearchedSelect
              {...control}
              {...searched}
              what="credentials"
              value={value}
              onValueChange={onChange}
              placeholder={options.length === 0 ? "None saved yet" : "Choose a credential"}
              options={[...(missing ? [{ value, label: "A credential this account does not have" }] : []), ...options]}
            />
            <Button icon="plus" onClick={() => setMaking(true)}>
              New
            </Button>
          </div>
        )}
      </Field>
      {making && (
        <CredentialDialog
          open
          onOpenChange={setMaking}
          types={types}
          onSaved={(credential) => onChange(credential.id)}
        />
      )}
    </>
  );
}
