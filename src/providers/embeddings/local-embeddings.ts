import { localEmbedding } from "../../engine/model/free-embeddings.ts";
import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { compatibleEmbeddings, openaiCompatibleProvider } from "../openai-compatible.ts";
import { openaiEmbeddings } from "../openai/embeddings.ts";
import { compatibleServer } from "../openai/openai-settings.ts";

const localServer = openaiEmbeddings({ provider: localEmbedding, vendor: compatibleServer, suggestedModels: [] });

/** Ollama or LM Studio on the machine of the studio; its credential has the address and no key. */
export const localEmbeddings: EmbeddingProviderDefinition = {
  id: localEmbedding,
  title: "Ollama or LM Studio on this computer",
  credentialTypes: openaiCompatibleProvider.credentialTypes,
  // Its requests say whose they are: they are refused where the credential leads elsewhere.
  embeddings: { ...compatibleEmbeddings, embed: localServer.embed },
};
