import type { TrialView } from "../assertions/trial-view.ts";
import { addCost } from "../../engine/model/usage.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { eventsFromCall } from "../suite/case-start.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import { turnOf } from "./conversation.ts";
import { viewOfRun } from "./view-of-run.ts";

/** The runs of a conversation as assertions look at them; of a single run, that run; of a step, what it did from where the case begins. */
export function viewOfConversation(
  evaluationCase: Pick<EvaluationCase, "input" | "expected" | "metadata" | "start">,
  runs: readonly (readonly RunEvent[])[],
  latencyMs: number,
): TrialView {
  const last = viewOfRun(evaluationCase, eventsFromCall(runs.at(-1) ?? [], evaluationCase.start?.call), latencyMs);
  if (runs.length <= 1) return last;
  const all = [...runs.slice(0, -1).map((events) => viewOfRun(evaluationCase, events, 0)), last];
  return {
    ...last,
    turns: runs.map(turnOf),
    tools: all.flatMap(({ tools }) => tools),
    modelCalls: all.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    costUsd: all.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
