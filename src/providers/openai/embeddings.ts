import type OpenAI from "openai";
import type { EmbeddingProvider, ProviderContext } from "../../engine/model/provider.ts";

/** Embeddings over the OpenAI SDK, which is loaded with the first text. */
export function openaiEmbeddings(options: {
  vendor: string;
  client: (context: ProviderContext) => () => Promise<OpenAI>;
  suggestedModels: readonly string[];
}): EmbeddingProvider {
  const { vendor, client, suggestedModels } = options;
  return {
    suggestedModels,
    async embed(request, context) {
      const { embedTexts } = await import("./embed-texts.ts");
      return await embedTexts({ vendor, client: client(context), context }, request);
    },
  };
}
