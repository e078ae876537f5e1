import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { type Chunking, embeddedSize } from "../../engine/knowledge/chunking.ts";
import { inputLimitOf } from "../../engine/model/embedding-limits.ts";
import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { localEmbedding } from "../../engine/model/free-embeddings.ts";
import { isLocalServer } from "../../engine/vendors/local-servers.ts";
import { embeddingProviderOf, embeddingProviders } from "../../providers/embeddings/embedding-providers.ts";
import type { CredentialRepository, CredentialSummary } from "../../services/services.ts";
import { formatTokens } from "../../ui/text/format-amount.ts";

export const embeddingCredentialsKey = ["credentials", "for embeddings"];

/** Of each type that can embed, the account's first credential by name: what a collection begins with. */
export async function embeddingCredentials(
  credentials: Pick<CredentialRepository, "page">,
): Promise<CredentialSummary[]> {
  const types = new Set(embeddingProviders.flatMap(({ credentialTypes }) => credentialTypes));
  const pages = await Promise.all([...types].map((type) => credentials.page({ limit: 1, types: [type] })));
  return pages.flatMap(({ rows }) => rows);
}

/** Those of them that work, as a real call says; one that cannot be tried does not count. */
export async function workingCredentials(
  credentials: Pick<CredentialRepository, "page" | "test">,
): Promise<CredentialSummary[]> {
  const found = await embeddingCredentials(credentials);
  const works = await Promise.all(
    found.map(({ id }) =>
      credentials.test(id).then(
        ({ ok }) => ok,
        () => false,
      ),
    ),
  );
  return found.filter((_credential, index) => works[index]);
}

/** A collection's embeddings in a few words. */
export function embeddingText(embedding: KnowledgeEmbedding | null): string {
  if (embedding === null) return "Keyword only";
  const provider = embeddingProviderOf(embedding.provider);
  return `${provider?.title ?? embedding.provider} · ${embedding.model}`;
}

/** Lists the embedding models of a provider's server. */
export type ListEmbeddings = (provider: EmbeddingProviderDefinition, credential: string) => Promise<readonly string[]>;

/**
 * The usual embedding of a provider with one of the account's credentials; the one named first when there are several. Its model is
 * empty where only the server knows which ones it has.
 */
export function usualEmbedding(
  providerId: string,
  credentials: readonly CredentialSummary[],
): KnowledgeEmbedding | null {
  const provider = embeddingProviderOf(providerId);
  if (provider === undefined) return null;
  const model = provider.embeddings.listModels ? "" : provider.embeddings.suggestedModels[0];
  const fitting = credentials.find(
    ({ type, allowedHosts }) =>
      provider.credentialTypes.includes(type) && (provider.id !== localEmbedding || isLocalServer(allowedHosts[0])),
  );
  return { provider: providerId, model: model ?? "", credential: fitting?.id ?? "" };
}

/** What a new collection starts with: vectors where one of these credentials makes them and its server has a model, else none. */
export async function firstEmbedding(
  credentials: readonly CredentialSummary[],
  list: ListEmbeddings,
): Promise<KnowledgeEmbedding | null> {
  // A server of this machine, which costs nothing, before one that the same credential could stand for.
  const order = embeddingProviders.toSorted(
    (one, other) => Number(other.id === localEmbedding) - Number(one.id === localEmbedding),
  );
  for (const { id } of order) {
    const usual = usualEmbedding(id, credentials);
    if (usual === null || usual.credential === "") continue;
    const model = await modelFor(usual, list).catch(() => "");
    if (model !== "") return { ...usual, model };
  }
  return null;
}

/** Its model, or else the first that the server lists; empty where it lists none. Rejects where it cannot be asked. */
export async function modelFor(embedding: KnowledgeEmbedding, list: ListEmbeddings): Promise<string> {
  if (embedding.model !== "") return embedding.model;
  const provider = embeddingProviderOf(embedding.provider);
  return (provider && (await list(provider, embedding.credential))[0]) ?? "";
}

/** What still has to be chosen before anything can be embedded; undefined when nothing is missing. */
export function embeddingProblem(embedding: KnowledgeEmbedding | null): string | undefined {
  if (embedding === null) return undefined;
  const provider = embeddingProviderOf(embedding.provider);
  if (provider === undefined) return "This studio does not know that provider. Choose another one.";
  if (embedding.model.trim() === "") return "Name the embedding model.";
  if (provider.id === localEmbedding && embedding.credential === "") {
    return "Find Ollama or LM Studio first, or choose keyword only.";
  }
  if (provider.credentialTypes.length > 0 && embedding.credential === "") {
    return `Choose a credential for ${provider.title}, or keyword only.`;
  }
  return undefined;
}

/** Why a collection's chunks do not fit an embedding model; undefined when they do, or where its limit is not known. */
export function modelProblem(embedding: KnowledgeEmbedding | null, chunking: Chunking): string | undefined {
  const size = embeddedSize(chunking);
  const limit = embedding && inputLimitOf(embedding);
  if (embedding === null || limit === null || size <= limit) return undefined;
  return `${embedding.model} takes at most ${formatTokens(limit)} at once, but a chunk may have ${size}. Choose a smaller chunk size first.`;
}

/** What changing a collection's embeddings would mean for its vectors. */
export function embeddingChange(
  from: KnowledgeEmbedding | null,
  to: KnowledgeEmbedding | null,
): "none" | "credential" | "vectors" | "removal" {
  if (to === null) return from === null ? "none" : "removal";
  if (from === null || from.provider !== to.provider || from.model !== to.model) return "vectors";
  return from.credential === to.credential ? "none" : "credential";
}
