import { useQuery } from "@tanstack/react-query";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { builtInEmbedding, localEmbedding } from "../../engine/model/free-embeddings.ts";
import { Combobox } from "../../forms/combobox.tsx";
import { embeddingProviderOf, embeddingProviders } from "../../providers/embeddings/embedding-providers.ts";
import { useServices } from "../../services/services-context.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { CredentialField } from "./credential-field.tsx";
import { embeddingCredentials, embeddingCredentialsKey, modelFor, usualEmbedding } from "./embedding-choices.ts";
import { LocalEmbeddings } from "./local-embeddings.tsx";
import { useListedEmbeddings, useListEmbeddings } from "./use-listed-embeddings.ts";

interface EmbeddingFieldsProps {
  /** Names the choice; under a heading that says "Embeddings" already, what is chosen. */
  label?: string;
  value: KnowledgeEmbedding | null;
  onChange: (change: (before: KnowledgeEmbedding | null) => KnowledgeEmbedding | null) => void;
  /** What is missing, once it was tried. */
  error?: string | undefined;
  /** Why the model that is chosen does not fit. */
  modelError?: string | undefined;
  /** The vectors are there already, so that only questions are embedded, by the model that made them. */
  vectorsExist?: boolean;
}

/** Who turns chunks into vectors: nobody (keyword only), or a provider with a credential and a model. */
export function EmbeddingFields({
  label = "Embeddings",
  value,
  onChange,
  error,
  modelError,
  vectorsExist = false,
}: EmbeddingFieldsProps) {
  const { credentials, builtInEmbeddings } = useServices();
  const stored = useQuery({ queryKey: embeddingCredentialsKey, queryFn: () => embeddingCredentials(credentials) });
  const builtIn = useQuery({
    queryKey: ["built-in-embeddings"],
    queryFn: async () => (await builtInEmbeddings?.()) ?? false,
    enabled: builtInEmbeddings !== null,
    staleTime: Infinity,
  });
  /** A server of this computer is offered once it was found, the built-in model once it has answered. */
  const isOffered = (id: string) =>
    id === value?.provider || (id === builtInEmbedding ? builtIn.data === true : id !== localEmbedding);
  const provider = embeddingProviderOf(value?.provider);
  const needsKey = value?.provider !== localEmbedding && (provider?.credentialTypes.length ?? 0) > 0;
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
        help={vectorsExist ? "Each question is embedded, to be compared with the vectors." : helpOf(value, needsKey)}
        error={provider === undefined || !needsKey ? error : undefined}
      >
        {(control) => (
          <Select
            {...control}
            value={value?.provider ?? "none"}
            onValueChange={(id) => void choose(id === "none" ? null : usualEmbedding(id, stored.data ?? []))}
            options={[
              { value: "none", label: vectorsExist ? "Choose a provider" : "Keyword only" },
              ...embeddingProviders
                .filter(({ id }) => isOffered(id))
                .map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
        )}
      </Field>
      {credentials.findLocalModels !== null && (
        <LocalEmbeddings find={credentials.findLocalModels} onUse={(found) => onChange(() => found)} />
      )}
      {value !== null && needsKey && (
        <CredentialField
          types={provider?.credentialTypes ?? []}
          help="Signs the embedding requests. Only its id is kept here."
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
          help={
            note ??
            (vectorsExist
              ? "The model that made the vectors. Those of another one cannot be compared."
              : "Vectors of two models cannot be compared, so changing it embeds everything again.")
          }
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
  if (value.provider === localEmbedding)
    return "Also finds documents by meaning. Needs no key, costs nothing, and no text leaves this computer.";
  if (value.provider === builtInEmbedding)
    return "Also finds documents by meaning, in English. Needs no key; texts stay in your Supabase project.";
  return needsKey
    ? "Also finds documents by meaning. Each chunk is sent to the provider once."
    : "Created in this browser, without a key: for trying things out.";
}
