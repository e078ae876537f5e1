import type { Json } from "../../engine/json.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import type { Suite } from "../suite/suite.ts";
import type { Assertion } from "./assertion.ts";
import { isBlank } from "./holds-expected.ts";
import { assertionKindOf } from "./kinds.ts";

/** What decides about the trials of a case, of the suite and of the case. */
type Assertions = Pick<Suite, "defaultAssert">;
type Expectations = Pick<EvaluationCase, "expected" | "assert" | "source">;

/** The comparison that a case has without anyone naming it. */
export const impliedComparison: Assertion = { type: "expected", value: "contains", weight: 1 };

/**
 * The assertions of a case's trials: those of the suite, those of the case, and the comparison with `expected` where none of them looks at
 * it. A case that was saved from a run keeps that run's answer for reference, so beside assertions of its own it is not compared.
 */
export function trialAssertions(
  { defaultAssert }: Assertions,
  { expected, assert = [], source }: Expectations,
): Assertion[] {
  const written = [...defaultAssert, ...assert];
  const isCompared = written.some(readsExpected);
  const isReference = source !== undefined && assert.length > 0;
  return isCompared || isReference || isBlank(expected) ? written : [...written, impliedComparison];
}

/** Whether an assertion looks at what the case expects. */
export function readsExpected({ type, value }: Assertion): boolean {
  const found = assertionKindOf(type);
  if (found?.name === "expected") return true;
  if (found?.kind.isTemplated === false) return typeof value === "string" && /\bexpected\b/.test(value);
  return value !== undefined && namesExpected(value);
}

function namesExpected(value: Json): boolean {
  return [...JSON.stringify(value).matchAll(/\{\{(.*?)\}\}/g)].some(([, expression = ""]) =>
    /\bexpected\b/.test(expression),
  );
}

/** Whether nothing decides about the trials of a case: no assertion, or only some that are shown and have no weight. */
export function checksNothing(suite: Assertions, evaluationCase: Expectations): boolean {
  return trialAssertions(suite, evaluationCase).every(({ weight }) => weight === 0);
}

/** Whether an assertion is decided by the suite's judge. */
export function needsJudge({ type, value }: Assertion): boolean {
  const name = assertionKindOf(type)?.name;
  return name === "llm-rubric" || (name === "expected" && value === "judge");
}
