import { z } from "zod/mini";

/** Whose `/rerank` a server speaks; most speak Cohere's. */
export const rerankFormats = ["cohere", "voyage", "tei"] as const;
export type RerankFormat = (typeof rerankFormats)[number];

/** What is asked: which texts fit a query best. */
export interface RerankQuestion {
  model: string;
  query: string;
  texts: readonly string[];
  /** How many of them are wanted. */
  limit: number;
}

/** How well a text fits, by its place among those that were sent. */
export interface RankedText {
  index: number;
  relevance: number;
}

/** An answer: best first, with what the server counted. `searches`: units of Cohere's price list. */
export interface Ranking {
  ranked: RankedText[];
  tokens?: number;
  searches?: number;
}

interface Format {
  body(question: RerankQuestion): object;
  /** Undefined for what is no ranking. */
  read(answer: unknown): Ranking | undefined;
}

const entry = z.looseObject({ index: z.int(), relevance_score: z.number() });
const tokens = z.catch(z.optional(z.looseObject({ total_tokens: z.optional(z.number()) })), undefined);

const cohereAnswer = z.looseObject({
  results: z.array(entry),
  usage: tokens,
  meta: z.catch(
    z.optional(
      z.looseObject({
        billed_units: z.optional(z.looseObject({ search_units: z.optional(z.number()) })),
        tokens: z.optional(z.looseObject({ input_tokens: z.optional(z.number()) })),
      }),
    ),
    undefined,
  ),
});

const voyageAnswer = z.looseObject({ data: z.array(entry), usage: tokens });
const teiAnswer = z.array(z.looseObject({ index: z.int(), score: z.number() }));

const ranked = (entries: readonly z.infer<typeof entry>[]): RankedText[] =>
  entries.map(({ index, relevance_score: relevance }) => ({ index, relevance }));

/**
 * Requests and answers of `/rerank`: docs.cohere.com/reference/rerank (v2), jina.ai/reranker, which answers alike and counts tokens,
 * docs.voyageai.com/docs/reranker, and huggingface.github.io/text-embeddings-inference.
 */
export const rerankFormat: Record<RerankFormat, Format> = {
  cohere: {
    body: ({ model, query, texts, limit }) => ({ model, query, documents: [...texts], top_n: limit }),
    read(answer) {
      const parsed = cohereAnswer.safeParse(answer);
      if (!parsed.success) return undefined;
      const { results, usage, meta } = parsed.data;
      const counted = usage?.total_tokens ?? meta?.tokens?.input_tokens;
      const searches = meta?.billed_units?.search_units;
      return {
        ranked: ranked(results),
        ...(counted === undefined ? {} : { tokens: counted }),
        ...(searches === undefined ? {} : { searches }),
      };
    },
  },
  voyage: {
    body: ({ model, query, texts, limit }) => ({ model, query, documents: [...texts], top_k: limit }),
    read(answer) {
      const parsed = voyageAnswer.safeParse(answer);
      if (!parsed.success) return undefined;
      const counted = parsed.data.usage?.total_tokens;
      return { ranked: ranked(parsed.data.data), ...(counted === undefined ? {} : { tokens: counted }) };
    },
  },
  tei: {
    // The server has one model, and gives all texts back.
    body: ({ query, texts }) => ({ query, texts: [...texts], truncate: true }),
    read(answer) {
      const parsed = teiAnswer.safeParse(answer);
      return parsed.success
        ? { ranked: parsed.data.map(({ index, score }) => ({ index, relevance: score })) }
        : undefined;
    },
  },
};
