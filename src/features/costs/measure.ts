import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import type { CostSum } from "../../services/services.ts";

/** What the charts can show. */
export const measures = ["cost", "tokens", "runs"] as const;
export type Measure = (typeof measures)[number];

interface MeasureLook {
  label: string;
  of: (sum: CostSum) => number;
  words: (sum: CostSum) => string;
}

export const measureLooks: Record<Measure, MeasureLook> = {
  cost: { label: "Cost", of: (sum) => sum.costUsd, words: costText },
  tokens: { label: "Tokens", of: tokensOf, words: (sum) => formatTokens(tokensOf(sum)) },
  runs: { label: "Runs", of: (sum) => sum.runs, words: ({ runs }) => (runs === 1 ? "1 run" : `${runs} runs`) },
};

function tokensOf({ inputTokens, outputTokens }: CostSum): number {
  return inputTokens + outputTokens;
}

/** The cost, or that it is only a part of it; "at least $0" would say nothing. */
export function costText({ costUsd, unpricedCalls }: CostSum): string {
  if (unpricedCalls === 0) return formatCost(costUsd);
  return costUsd === 0 ? formatCost(null) : `at least ${formatCost(costUsd)}`;
}
