import { totalTokens } from "../../model/usage.ts";
import { type AgentEnding, costBudgetEnding, tokenBudgetEnding } from "../ending.ts";
import type { Execution } from "../execution.ts";
import type { ToolTurnInterceptor } from "../tool-call/call-tools.ts";
import type { IterationInterceptor, Rounds } from "./rounds.ts";

/** Stops the agent where a budget is spent: before an iteration, and before what follows it. */
export function stopAtBudget(execution: Execution, rounds: Rounds): IterationInterceptor {
  const { progress } = execution;
  const stop = (ending: AgentEnding) => rounds.stop({ text: progress.lastText, ending });
  return async (place, next) => {
    const spentBefore = spentBudget(execution);
    if (spentBefore) return stop(spentBefore);
    const end = await next(place);
    const spent = end.over ? undefined : spentBudget(execution);
    return spent ? stop(spent) : end;
  };
}

/** Makes no tool calls once a budget is spent, since their results could not be used any more. */
export function callWithinBudget(execution: Execution): ToolTurnInterceptor {
  return (asked, next) => {
    const ending = spentBudget(execution);
    return ending ? Promise.resolve({ messages: [], cut: new Set(), ending }) : next(asked);
  };
}

/** Tells the log, once in a round, of a budget that cannot be checked. */
export function warnOfUncheckedBudget(execution: Execution): IterationInterceptor {
  let warned = false;
  return async (place, next) => {
    const end = await next(place);
    if (end.over) return end;
    const unchecked = end.next === "iteration" ? uncheckedBudget(execution) : null;
    if (unchecked !== null && !warned)
      execution.warn(
        unchecked,
        "Enter its prices on the model node; for embeddings, choose a model whose price is listed.",
      );
    warned = end.next === "iteration" && (warned || unchecked !== null);
    return end;
  };
}

/** Why no further model call may be made; undefined while one may. */
function spentBudget({ run, progress }: Execution): AgentEnding | undefined {
  const { maxTotalTokens, maxCostUsd } = run.settings;
  const { costUsd } = progress;
  const tokens = totalTokens(progress.usage);
  if (maxTotalTokens !== null && tokens >= maxTotalTokens) return tokenBudgetEnding(run.nodeId, tokens, maxTotalTokens);
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd)
    return costBudgetEnding(run.nodeId, costUsd, maxCostUsd);
  return undefined;
}

/** Whether a budget is set that cannot be checked, because the model's price or its usage is not known. */
function uncheckedBudget({ run, progress }: Execution): string | null {
  const { maxTotalTokens, maxCostUsd } = run.settings;
  if (maxCostUsd !== null && progress.costUsd === null)
    return "The cost budget cannot be checked, since the price of a model that it uses is not known.";
  if (maxTotalTokens !== null && progress.iterations > 0 && totalTokens(progress.usage) === 0)
    return "The token budget cannot be checked, since the model reports no token usage.";
  return null;
}
