import type { EmbeddingProvider } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/run/errors.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";
import { missingCredential } from "../wire/credential.ts";
import { geminiClient } from "./client.ts";
import { mapGeminiError } from "./map-error.ts";

const vendor = "Gemini";

/** Gemini's `batchEmbedContents`. */
export const geminiEmbeddings: EmbeddingProvider = {
  suggestedModels: ["gemini-embedding-001"],
  async embed({ model, texts, signal }, context) {
    if (context.credential === "") throw new RunError(missingCredential(vendor));
    try {
      const { models } = await geminiClient(context)();
      const { embeddings = [] } = await models.embedContent({
        model,
        contents: [...texts],
        config: { abortSignal: signal },
      });
      return checkedVectors(
        vendor,
        embeddings.map((entry) => entry.values),
        texts.length,
      );
    } catch (error) {
      if (error instanceof RunError) throw error;
      throw new RunError(mapGeminiError(error, { vendor, signal, now: context.host.now() }));
    }
  },
};
