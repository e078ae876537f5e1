import { RunError } from "../../engine/errors.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { openaiSender } from "../openai/client.ts";
import { mapOpenaiError } from "../openai/error-shapes.ts";
import { type Ranking, rerankFormat, type RerankFormat, type RerankQuestion } from "./rerank-formats.ts";

/** Whose credentials lead to servers with `/rerank`. */
export const rerankProvider = "openai-compatible";

const server = "The reranking server";

/**
 * Asks a server's `/rerank` which texts fit best: each at most once, best first, and none that was not sent. Rejects with a RunError.
 */
export async function rerankTexts(
  { format, signal, ...question }: RerankQuestion & { format: RerankFormat; signal: AbortSignal },
  context: ProviderContext,
): Promise<Ranking> {
  const { body, read } = rerankFormat[format];
  try {
    const response = await openaiSender(rerankProvider, context)({ path: "/rerank", body: body(question), signal });
    const ranking = read(await response.json());
    if (!ranking) throw new RunError(unreadable);
    return { ...ranking, ranked: bestOf(ranking, question) };
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(mapOpenaiError(error, { vendor: server, signal, now: context.host.now() }));
  }
}

function bestOf({ ranked }: Ranking, { texts, limit }: RerankQuestion): Ranking["ranked"] {
  const seen = new Set<number>();
  const known = ranked.filter(({ index, relevance }) => {
    const isNew = index >= 0 && index < texts.length && Number.isFinite(relevance) && !seen.has(index);
    seen.add(index);
    return isNew;
  });
  if (known.length === 0) throw new RunError(unreadable);
  return known.toSorted((a, b) => b.relevance - a.relevance).slice(0, limit);
}

const unreadable = {
  code: "model_error" as const,
  message: `${server} answered with something that is no ranking.`,
  hint: "Check the interface in the node's settings, and the base URL of the credential: /rerank is added to it.",
  retryable: false,
};
