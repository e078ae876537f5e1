import type { RunState } from "../../engine/run/run-state.ts";

export interface ModelTotal {
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price of one call is not known. */
  costUsd: number | null;
}

/** What each model of a run used, in the order of its first call. */
export function modelTotals(run: Pick<RunState, "steps">): ModelTotal[] {
  const totals = new Map<string, ModelTotal>();
  for (const step of run.steps) {
    if (step.kind !== "model") continue;
    const model = step.request.model;
    const total = totals.get(model) ?? { model, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    total.calls += 1;
    total.inputTokens += step.response?.usage?.inputTokens ?? 0;
    total.outputTokens += step.response?.usage?.outputTokens ?? 0;
    if (step.response) {
      const { costUsd } = step.response;
      total.costUsd = costUsd === null || total.costUsd === null ? null : total.costUsd + costUsd;
    }
    totals.set(model, total);
  }
  return [...totals.values()];
}
