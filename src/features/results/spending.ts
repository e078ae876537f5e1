import { addCost, totalTokens } from "../../engine/model/usage.ts";
import type { EventOf } from "../../engine/run/events.ts";
import type { NoteStep, RunStep } from "../../engine/run/run-state.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";

/** What model calls, embeddings, reranking and transcriptions took. */
export interface Spending {
  tokens: number;
  /** US dollars; null when the price of one call is not known. */
  costUsd: number | null;
}

export const noSpending: Spending = { tokens: 0, costUsd: 0 };

/** With what one more step took; only embeddings, reranking, transcriptions and model calls that have come back take anything. */
export function addSpending(spent: Spending, step: RunStep): Spending {
  const taken = step.kind === "model" ? step.response : step.kind === "note" ? takenBy(step) : undefined;
  if (taken?.usage === undefined) return spent;
  const { usage, costUsd } = taken;
  return {
    tokens: spent.tokens + totalTokens(usage),
    costUsd: addCost(spent.costUsd, costUsd),
  };
}

function takenBy({ event }: NoteStep): EventOf<"embedding" | "transcription" | "rerank"> | undefined {
  const { type } = event;
  return type === "embedding" || type === "transcription" || type === "rerank" ? event : undefined;
}

/** In a few words, such as "1,204 tokens · $0.002"; empty when nothing was taken. */
export function spendingWords({ tokens, costUsd }: Spending): string {
  if (tokens === 0) return costUsd === null || costUsd === 0 ? "" : formatCost(costUsd);
  return costUsd === null || costUsd === 0 ? formatTokens(tokens) : `${formatTokens(tokens)} · ${formatCost(costUsd)}`;
}
