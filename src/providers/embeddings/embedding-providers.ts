import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { providers } from "../index.ts";
import { builtInEmbeddings } from "./built-in-embeddings.ts";
import { localEmbeddings } from "./local-embeddings.ts";

/** Who can make the vectors of a collection, in the order in which they are offered. */
export const embeddingProviders: readonly EmbeddingProviderDefinition[] = [
  ...providers.flatMap(({ id, title, credentialTypes, embeddings }) =>
    embeddings ? [{ id, title, credentialTypes, embeddings }] : [],
  ),
  localEmbeddings,
  builtInEmbeddings,
];

/** Undefined for one that this studio does not know. */
export function embeddingProviderOf(id: string | undefined): EmbeddingProviderDefinition | undefined {
  return embeddingProviders.find((provider) => provider.id === id);
}
