import type { EmbedContentResponse } from "@google/genai/web";
import type { EmbeddingRequest, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/errors.ts";
import { embeddingError } from "../embeddings/embedding-error.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";
import { missingEmbeddingCredential } from "../wire/credential.ts";
import { geminiSender, modelName, modelPath } from "./client.ts";
import { mapGeminiError } from "./map-error.ts";

/** Gemini's `batchEmbedContents`. */
export async function embedTexts(
  vendor: string,
  context: ProviderContext,
  { model, texts, signal }: EmbeddingRequest,
): Promise<number[][]> {
  if (context.credential === "") throw new RunError(missingEmbeddingCredential(vendor));
  try {
    const requests = texts.map((text) => ({
      model: modelName(model),
      content: { role: "user", parts: [{ text }] },
    }));
    const path = `${modelPath(model)}:batchEmbedContents`;
    const response = await geminiSender(context)({ path, body: { requests }, signal });
    const { embeddings = [] } = (await response.json()) as Pick<EmbedContentResponse, "embeddings">;
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
