import { addCost } from "../../engine/model/usage.ts";
import type { EventOf } from "../../engine/run/events.ts";
import type { RunState, RunStep } from "../../engine/run/run-state.ts";

interface ModelTotal {
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price of one call is not known. */
  costUsd: number | null;
}

type Taken = Pick<EventOf<"model-response">, "usage" | "costUsd">;

/** The model that a step called, for text, for vectors or for a recording, and what that took once it has come back. */
function callOf(step: RunStep): { model: string; taken: Taken | undefined } | undefined {
  if (step.kind === "model") return { model: step.request.model, taken: step.response };
  if (step.kind === "tool") return undefined;
  const { event } = step;
  if (event.type !== "embedding" && event.type !== "transcription" && event.type !== "rerank") return undefined;
  return { model: event.model, taken: event };
}

/** What each model of a run used, in the order of its first call. */
export function modelTotals(run: Pick<RunState, "steps">): ModelTotal[] {
  const totals = new Map<string, ModelTotal>();
  for (const step of run.steps) {
    const call = callOf(step);
    if (!call) continue;
    const { model, taken } = call;
    const total = totals.get(model) ?? { model, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    total.calls += 1;
    total.inputTokens += taken?.usage?.inputTokens ?? 0;
    total.outputTokens += taken?.usage?.outputTokens ?? 0;
    if (taken) total.costUsd = addCost(total.costUsd, taken.costUsd);
    totals.set(model, total);
  }
  return [...totals.values()];
}
