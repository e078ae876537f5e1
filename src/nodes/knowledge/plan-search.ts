import {
  type KnowledgeCollection,
  type KnowledgeEmbedding,
  type KnowledgeMode,
  knowledgeModes,
} from "../../engine/knowledge/knowledge.ts";
import type { EmbeddingProvider } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/errors.ts";
import { embeddingProviderOf } from "../../providers/embeddings/embedding-providers.ts";

/** How a node searches: in one way, or as its collection says. */
export const searchModes = ["collection", ...knowledgeModes] as const;
export type SearchMode = (typeof searchModes)[number];

/** What of a knowledge node's settings decides how it searches. */
export interface SearchSettings {
  mode: SearchMode;
  /** Empty: the collection's. */
  embeddingModel: string;
  credential: string;
}

/** How a collection will be searched: by words alone, or with a vector of the query besides. */
export type SearchPlan =
  | { mode: "keyword"; /** Hybrid was asked for, but the collection has no vectors. */ lessThanAsked: boolean }
  | { mode: "hybrid" | "semantic"; embedding: KnowledgeEmbedding; embeddings: EmbeddingProvider };

function refuse(code: "invalid_config" | "invalid_credentials", message: string, hint: string): never {
  throw new RunError({ code, message, hint });
}

/**
 * Fits a node's settings to its collection. Throws a RunError of code `invalid_config` when the collection lacks the
 * vectors that the mode or the model asks for, and of code `invalid_credentials` when nothing signs the request for them.
 */
export function planSearch(collection: KnowledgeCollection, settings: SearchSettings): SearchPlan {
  const { name, embedding } = collection;
  const mode = modeOf(collection, settings);
  if (mode === "keyword") return { mode: "keyword", lessThanAsked: false };
  if (embedding === null) {
    if (mode === "hybrid" && settings.embeddingModel === "") return { mode: "keyword", lessThanAsked: true };
    refuse(
      "invalid_config",
      `The collection "${name}" has no embeddings, so it cannot be searched by meaning.`,
      "Choose the mode keyword, or give the collection an embedding model on the Knowledge page.",
    );
  }
  if (settings.embeddingModel !== "" && settings.embeddingModel !== embedding.model) {
    refuse(
      "invalid_config",
      `The collection "${name}" was embedded with ${embedding.model}, but this node asks for ${settings.embeddingModel}; vectors of two models cannot be compared.`,
      "Clear the node's embedding model, or embed the collection again on the Knowledge page.",
    );
  }
  const provider = embeddingProviderOf(embedding.provider);
  if (provider === undefined) {
    refuse(
      "invalid_config",
      `The collection "${name}" was embedded by "${embedding.provider}", which this studio does not know.`,
      "Embed the collection again on the Knowledge page, or choose the mode keyword.",
    );
  }
  const credential = settings.credential || embedding.credential;
  if (provider.credentialTypes.length > 0 && credential === "") {
    refuse(
      "invalid_credentials",
      `No credential signs the embedding requests for the collection "${name}".`,
      `Choose a credential for ${provider.title} on this node or on the collection, or choose the mode keyword.`,
    );
  }
  return { mode, embedding: { ...embedding, credential }, embeddings: provider.embeddings };
}

/** The mode that a node asks for. A collection that lost its embeddings is searched by keyword, whatever it says. */
function modeOf({ embedding, searchMode }: KnowledgeCollection, { mode }: SearchSettings): KnowledgeMode {
  if (mode !== "collection") return mode;
  return embedding === null ? "keyword" : (searchMode ?? "hybrid");
}
