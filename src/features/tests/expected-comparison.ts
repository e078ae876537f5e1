import type { Assertion } from "../../evaluation/assertions/assertion.ts";
import { comparisons, type ComparisonMode } from "../../evaluation/assertions/expected-kinds.ts";
import { impliedComparison, readsExpected, trialAssertions } from "../../evaluation/assertions/trial-assertions.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";

/** How the form compares the answer: by itself, not at all, or as other assertions say that name `expected`. */
export const comparisonChoices = [...comparisons, "assertions", "none"] as const;
export type ComparisonChoice = (typeof comparisonChoices)[number];

/** The choice that an assertion stands for, or undefined for one that the form shows as JSON. */
export function choiceOf({ type, value, threshold, weight, metric }: Assertion): ComparisonChoice | undefined {
  if (type !== "expected" || threshold !== undefined || metric !== undefined) return undefined;
  const mode: ComparisonMode | undefined = comparisons.find((each) => each === (value ?? "contains"));
  if (weight === 0) return value === undefined ? "none" : undefined;
  return weight === 1 ? mode : undefined;
}

/** How a case is compared without an assertion that says so. */
export function impliedChoice(
  defaultAssert: readonly Assertion[],
  evaluationCase: Pick<EvaluationCase, "assert" | "source">,
): ComparisonChoice {
  const suite = { defaultAssert: [...defaultAssert] };
  if ([...defaultAssert, ...(evaluationCase.assert ?? [])].some(readsExpected)) return "assertions";
  // Any text stands for what is expected.
  return trialAssertions(suite, { ...evaluationCase, expected: "x" }).includes(impliedComparison) ? "contains" : "none";
}

/** The assertion that makes the choice; for a comparison by others there is none. */
export function comparisonAssertion(choice: Exclude<ComparisonChoice, "assertions">): Assertion {
  return choice === "none" ? { type: "expected", weight: 0 } : { type: "expected", value: choice, weight: 1 };
}
