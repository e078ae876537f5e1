import { z } from "zod/mini";
import { type AssertionKind, defineAssertion, nothingToCheck } from "./assertion-kind.ts";
import { askedOf, missingModel } from "./judge-question.ts";
import { shortened } from "./shortened.ts";

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
      if (!similarity) throw missingModel("similar", "embeddings");
      const others = value.filter((each) => each.trim() !== "");
      if (others.length === 0) return nothingToCheck("There is no text to compare with, so nothing was checked.");
      const closest = Math.max(...(await similarity(text, others)));
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
    async check({ value, threshold }, trial, { judge }) {
      if (!judge) throw missingModel("llm-rubric", "judge");
      const { pass, score, reason } = await judge({ rubric: value, input: askedOf(trial), answer: trial.text });
      return { pass: pass && (threshold === undefined || score >= threshold), score, reason: shortened(reason) };
    },
  }),
};
