import type OpenAI from "openai";
import type { EmbeddingRequest, ProviderContext } from "../../engine/model/provider.ts";
import { RunError } from "../../engine/run/errors.ts";
import { embeddingError } from "../embeddings/embedding-error.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";
import { missingCredential } from "../wire/credential.ts";
import { mapSdkError } from "../wire/sdk-error.ts";

/** Servers that only speak the API may leave the usage out. */
type EmbeddingAnswer = Pick<OpenAI.CreateEmbeddingResponse, "data"> &
  Partial<Pick<OpenAI.CreateEmbeddingResponse, "usage">>;

/** `/embeddings` of OpenAI and of servers that speak its API, with plain numbers, which all of them know. */
export async function embedTexts(
  { vendor, client, context }: { vendor: string; client: () => Promise<OpenAI>; context: ProviderContext },
  { model, texts, signal, onTokens }: EmbeddingRequest,
): Promise<number[][]> {
  if (context.credential === "") throw new RunError(missingCredential(vendor));
  try {
    const sdk = await client();
    const body = { model, input: [...texts], encoding_format: "float" as const };
    const { data, usage }: EmbeddingAnswer = await sdk.embeddings.create(body, { signal });
    if (usage && usage.prompt_tokens > 0) onTokens?.(usage.prompt_tokens);
    const inOrder = data.toSorted((a, b) => a.index - b.index);
    return checkedVectors(
      vendor,
      inOrder.map((entry) => entry.embedding),
      texts.length,
    );
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(embeddingError(mapSdkError(error, { vendor, signal, now: context.host.now() }), vendor));
  }
}
