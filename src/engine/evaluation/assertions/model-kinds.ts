import { z } from "zod/mini";
import type { Json, JsonObject } from "../../json.ts";
import { RunError } from "../../run/errors.ts";
import { type AssertionKind, defineAssertion } from "./assertion-kind.ts";
import { shortened } from "./shortened.ts";
import type { TrialView } from "./trial-view.ts";

const texts = z.union(
  [
    z.array(z.string()).check(z.minLength(1)),
    z.pipe(
      z.string(),
      z.transform((one) => [one]),
    ),
  ],
  "expected a text",
);

/** Assertions that ask a model. */
export const modelKinds: Readonly<Record<string, AssertionKind>> = {
  similar: defineAssertion({
    value: texts,
    isTemplated: true,
    async check({ value, threshold = 0.75 }, { text }, { similarity }) {
      if (!similarity) throw missing("similar", "embeddings");
      const closest = Math.max(...(await similarity(text, value)));
      return {
        pass: closest >= threshold,
        score: Math.min(1, Math.max(0, closest)),
        reason: `The answer is ${closest.toFixed(2)} similar; at least ${threshold} is wanted.`,
      };
    },
  }),
  "llm-rubric": defineAssertion({
    value: z.union([
      z.string().check(z.minLength(1)),
      z.pipe(
        z.record(z.string(), z.json()),
        z.transform((rubric) => JSON.stringify(rubric)),
      ),
    ]),
    isTemplated: true,
    async check({ value, threshold }, { input, turns, text }, { judge }) {
      if (!judge) throw missing("llm-rubric", "judge");
      const { pass, score, reason } = await judge({ rubric: value, input: asked(input, turns), answer: text });
      return { pass: pass && (threshold === undefined || score >= threshold), score, reason: shortened(reason) };
    },
  }),
};

/** What the agent was asked; of a conversation, all that was said before the last answer. */
function asked(input: Json, turns: TrialView["turns"]): Json {
  const last = turns.at(-1);
  if (!last) return input;
  const before = turns.slice(0, -1).flatMap((turn): JsonObject[] => [{ user: turn.input }, { agent: turn.answer }]);
  return [...before, { user: last.input }];
}

function missing(type: string, field: string): RunError {
  return new RunError({
    code: "invalid_config",
    message: `${type} needs "${field}" in the suite.`,
    hint: `Add "${field}": { "provider": "…", "model": "…", "credential": "…" }.`,
  });
}
