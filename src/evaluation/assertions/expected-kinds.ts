import { z } from "zod/mini";
import type { Json } from "../../engine/json.ts";
import { type AssertionKind, defineAssertion, nothingToCheck } from "./assertion-kind.ts";
import { equalsExpected, holdsExpected, isBlank } from "./holds-expected.ts";
import { askedOf, missingModel } from "./judge-question.ts";
import { shortened } from "./shortened.ts";
import { answerJson } from "./trial-view.ts";

/** How an answer is compared with what a case expects. */
export const comparisons = ["contains", "equals", "judge"] as const;
export type ComparisonMode = (typeof comparisons)[number];

/** The comparison with a case's `expected`, which a case has by itself where no other assertion looks at it. */
export const expectedKinds: Readonly<Record<string, AssertionKind>> = {
  expected: defineAssertion({
    value: z._default(z.enum(comparisons), "contains"),
    isTemplated: false,
    async check({ value, threshold }, trial, { judge }) {
      const { expected, text } = trial;
      if (expected === undefined || (value !== "equals" && isBlank(expected)))
        return nothingToCheck("The case has no expected answer, so nothing was compared.");
      const words = quoted(expected);
      switch (value) {
        case "contains": {
          const pass = holdsExpected(text, answerJson(trial), expected);
          return { pass, reason: pass ? `The answer contains ${words}.` : failedReason("contain", words, text) };
        }
        case "equals": {
          const pass = equalsExpected(text, answerJson(trial), expected);
          return { pass, reason: pass ? `The answer equals ${words}.` : failedReason("equal", words, text) };
        }
        case "judge": {
          if (!judge) throw missingModel("expected", "judge");
          const rubric = `The answer states this, in whatever words: ${words}`;
          const { pass, score, reason } = await judge({ rubric, input: askedOf(trial), answer: text });
          return { pass: pass && (threshold === undefined || score >= threshold), score, reason: shortened(reason) };
        }
        default:
          return value satisfies never;
      }
    },
  }),
};

function quoted(expected: Json): string {
  return typeof expected === "string" ? `"${shortened(expected)}"` : shortened(JSON.stringify(expected));
}

function failedReason(verb: string, expected: string, text: string): string {
  return `The answer does not ${verb} the expected ${expected}. It is "${shortened(text)}".`;
}
