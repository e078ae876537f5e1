import type { EmbeddingRequest, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/run/errors.ts";
import { embeddingError } from "../embeddings/embedding-error.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";
import { missingCredential } from "../wire/credential.ts";
import { geminiClient } from "./client.ts";
import { mapGeminiError } from "./map-error.ts";

/** Gemini's `batchEmbedContents`. */
export async function embedTexts(
  vendor: string,
  context: ProviderContext,
  { model, texts, signal }: EmbeddingRequest,
): Promise<number[][]> {
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
    throw new RunError(embeddingError(mapGeminiError(error, { vendor, signal, now: context.host.now() }), vendor));
  }
}
