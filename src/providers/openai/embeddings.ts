import type { EmbeddingProvider } from "../../engine/model/provider.ts";

/** Embeddings over OpenAI's API; the code is loaded with the first text. */
export function openaiEmbeddings(options: {
  provider: string;
  vendor: string;
  suggestedModels: readonly string[];
}): EmbeddingProvider {
  const { provider, vendor, suggestedModels } = options;
  return {
    suggestedModels,
    async embed(request, context) {
      const { embedTexts } = await import("./embed-texts.ts");
      return await embedTexts({ provider, vendor, context }, request);
    },
  };
}
