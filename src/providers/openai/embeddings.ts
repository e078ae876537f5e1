import type { EmbeddingProvider, ProviderContext } from "../../engine/model/provider.ts";
import type { VendorSender } from "../wire/vendor-sender.ts";

/** Embeddings over OpenAI's API; the code is loaded with the first text. */
export function openaiEmbeddings(options: {
  vendor: string;
  sender: (context: ProviderContext) => VendorSender;
  suggestedModels: readonly string[];
}): EmbeddingProvider {
  const { vendor, sender, suggestedModels } = options;
  return {
    suggestedModels,
    async embed(request, context) {
      const { embedTexts } = await import("./embed-texts.ts");
      return await embedTexts({ vendor, send: sender(context), context }, request);
    },
  };
}
