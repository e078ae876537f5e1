import { localEmbedding } from "../../engine/model/free-embeddings.ts";
import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { compatibleEmbeddings, openaiCompatibleProvider } from "../openai-compatible.ts";

/** Ollama or LM Studio on the machine of the studio; its credential has the address and no key. */
export const localEmbeddings: EmbeddingProviderDefinition = {
  id: localEmbedding,
  title: "Ollama or LM Studio on this computer",
  credentialTypes: openaiCompatibleProvider.credentialTypes,
  embeddings: compatibleEmbeddings,
};
