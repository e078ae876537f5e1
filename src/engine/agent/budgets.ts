import { totalTokens } from "../model/usage.ts";
import type { Progress } from "./progress.ts";
import type { AgentSettings } from "./settings.ts";

type Budgets = Pick<AgentSettings, "maxTotalTokens" | "maxCostUsd">;

/** Why no further model call may be made, or null. */
export function spentBudget(settings: Budgets, progress: Progress): string | null {
  const { maxTotalTokens, maxCostUsd } = settings;
  const tokens = totalTokens(progress.usage);
  if (maxTotalTokens !== null && tokens >= maxTotalTokens)
    return `The token budget is spent: ${tokens} of ${maxTotalTokens} tokens.`;
  if (maxCostUsd !== null && progress.costUsd !== null && progress.costUsd >= maxCostUsd)
    return `The cost budget is spent: $${progress.costUsd.toFixed(4)} of $${maxCostUsd}.`;
  return null;
}

/** Whether a budget is set that cannot be checked, because the model's price or its usage is not known. */
export function uncheckedBudget(settings: Budgets, progress: Progress): string | null {
  if (settings.maxCostUsd !== null && progress.costUsd === null)
    return "The cost budget cannot be checked, since the price of a model that it uses is not known.";
  if (settings.maxTotalTokens !== null && progress.iterations > 0 && totalTokens(progress.usage) === 0)
    return "The token budget cannot be checked, since the model reports no token usage.";
  return null;
}
