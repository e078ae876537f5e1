import { totalTokens } from "../../model/usage.ts";
import type { AgentEnding } from "../ending.ts";
import type { Progress } from "./progress.ts";
import type { AgentSettings } from "../settings.ts";

type Budgets = Pick<AgentSettings, "maxTotalTokens" | "maxCostUsd">;

/** Why no further model call may be made, or null. */
export function spentBudget(settings: Budgets, progress: Progress, nodeId: string): AgentEnding | null {
  const { maxTotalTokens, maxCostUsd } = settings;
  const tokens = totalTokens(progress.usage);
  if (maxTotalTokens !== null && tokens >= maxTotalTokens)
    return budgetEnding(
      nodeId,
      "maxTotalTokens",
      `Stopped at the token budget: ${tokens} of ${maxTotalTokens} tokens.`,
    );
  if (maxCostUsd !== null && progress.costUsd !== null && progress.costUsd >= maxCostUsd)
    return budgetEnding(
      nodeId,
      "maxCostUsd",
      `Stopped at the cost budget: $${progress.costUsd.toFixed(4)} of $${maxCostUsd}.`,
    );
  return null;
}

function budgetEnding(nodeId: string, field: string, message: string): AgentEnding {
  const hint = "Raise the agent's budget if it should go further.";
  return { finish: "budget", message, hint, setting: { nodeId, field, action: "Raise the budget" } };
}

/** Whether a budget is set that cannot be checked, because the model's price or its usage is not known. */
export function uncheckedBudget(settings: Budgets, progress: Progress): string | null {
  if (settings.maxCostUsd !== null && progress.costUsd === null)
    return "The cost budget cannot be checked, since the price of a model that it uses is not known.";
  if (settings.maxTotalTokens !== null && progress.iterations > 0 && totalTokens(progress.usage) === 0)
    return "The token budget cannot be checked, since the model reports no token usage.";
  return null;
}
