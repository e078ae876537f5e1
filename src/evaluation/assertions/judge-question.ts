import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import type { TrialView } from "./trial-view.ts";

/** What a judge is told that the agent was asked; of a conversation, all that was said before the last answer. */
export function askedOf({ input, turns }: Pick<TrialView, "input" | "turns">): Json {
  const last = turns.at(-1);
  if (!last) return input;
  const before = turns.slice(0, -1).flatMap((turn): JsonObject[] => [{ user: turn.input }, { agent: turn.answer }]);
  return [...before, { user: last.input }];
}

/** The error of an assertion that needs a model which the suite does not name. */
export function missingModel(type: string, field: "judge" | "embeddings"): RunError {
  return new RunError({
    code: "invalid_config",
    message: `${type} needs "${field}" in the suite.`,
    hint: `Add "${field}": { "provider": "…", "model": "…", "credential": "…" }.`,
  });
}
