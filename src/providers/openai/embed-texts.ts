import type { CreateEmbeddingResponse } from "openai/resources/embeddings";
import type { EmbeddingRequest, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/errors.ts";
import { embeddingError } from "../embeddings/embedding-error.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";
import { missingEmbeddingCredential } from "../wire/credential.ts";
import { openaiSender } from "./client.ts";
import { mapOpenaiError } from "./error-shapes.ts";

/** Servers that only speak the API may leave the usage out. */
type EmbeddingAnswer = Pick<CreateEmbeddingResponse, "data"> & Partial<Pick<CreateEmbeddingResponse, "usage">>;

/** `/embeddings` of OpenAI and of servers that speak its API, with plain numbers, which all of them know. */
export async function embedTexts(
  { provider, vendor, context }: { provider: string; vendor: string; context: ProviderContext },
  { model, texts, signal, onTokens }: EmbeddingRequest,
): Promise<number[][]> {
  if (context.credential === "") throw new RunError(missingEmbeddingCredential(vendor));
  try {
    const body = { model, input: [...texts], encoding_format: "float" };
    const response = await openaiSender(provider, context)({ path: "/embeddings", body, signal });
    const { data, usage } = (await response.json()) as EmbeddingAnswer;
    if (usage && usage.prompt_tokens > 0) onTokens?.(usage.prompt_tokens);
    const inOrder = data.toSorted((a, b) => a.index - b.index);
    return checkedVectors(
      vendor,
      inOrder.map((entry) => entry.embedding),
      texts.length,
    );
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(embeddingError(mapOpenaiError(error, { vendor, signal, now: context.host.now() }), vendor));
  }
}
