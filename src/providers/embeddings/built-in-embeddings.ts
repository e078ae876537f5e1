import { z } from "zod/mini";
import { RunError } from "../../engine/errors.ts";
import { builtInEmbedding, maxBuiltInTexts } from "../../engine/model/free-embeddings.ts";
import type { EmbeddingProviderDefinition } from "../../engine/model/provider.ts";
import { checkedVectors } from "../wire/checked-vectors.ts";

const answerSchema = z.object({ vectors: z.array(z.array(z.number())) });

/** gte-small of Supabase's edge runtime: vectors without a key, in a hosted project. */
export const builtInEmbeddings: EmbeddingProviderDefinition = {
  id: builtInEmbedding,
  title: "Supabase, without a key",
  credentialTypes: [],
  embeddings: {
    suggestedModels: ["gte-small"],
    async embed({ texts, signal }, { host }) {
      const vectors: number[][] = [];
      for (let start = 0; start < texts.length; start += maxBuiltInTexts) {
        const body = { action: "embed", texts: texts.slice(start, start + maxBuiltInTexts) };
        const answer = await host.callFunction("embed", body, { signal });
        if (!answer.ok) throw new RunError(answer.error);
        vectors.push(...(answerSchema.safeParse(answer.body).data?.vectors ?? []));
      }
      return checkedVectors("the built-in model", vectors, texts.length);
    },
  },
};
