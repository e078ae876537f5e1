import { z } from "zod/mini";
import "../../engine/config/english-issues.ts";
import type { Json } from "../../engine/json.ts";
import { recordScope } from "../../engine/template/scope.ts";
import { TemplateProblem } from "../../engine/template/template-problem.ts";
import type { Assertion } from "./assertion.ts";
import { resolvedValue } from "./assertion-value.ts";
import { assertionKindOf } from "./kinds.ts";
import type { AssertionServices } from "./services.ts";
import type { TrialView } from "./trial-view.ts";

/** What one assertion said about one trial. */
export interface AssertionResult {
  type: string;
  metric?: string;
  pass: boolean;
  /** From 0 to 1. */
  score: number;
  reason: string;
  /** As the assertion says; 0 where it had nothing to look for. */
  weight: number;
}

/** Checks one trial by one assertion. Rejects with a RunError where a model that it asks fails. */
export async function checkTrial(
  assertion: Assertion,
  trial: TrialView,
  services: AssertionServices,
): Promise<AssertionResult> {
  const { type, metric, weight, threshold } = assertion;
  const result = (pass: boolean, score: number, reason: string): AssertionResult => {
    const kept = Math.min(1, Math.max(0, score));
    return { type, ...(metric === undefined ? {} : { metric }), pass, score: kept, reason, weight };
  };
  const found = assertionKindOf(type);
  if (!found) return result(false, 0, `There is no assertion "${type}".`);
  const { kind, negated } = found;
  const value = valueFor(assertion.value, kind.isTemplated, trial, () => services.host.now());
  if (value.problem !== undefined) return result(false, 0, value.problem);
  const checked = kind.value.safeParse(value.resolved);
  if (!checked.success) return result(false, 0, `Its value cannot be used: ${z.prettifyError(checked.error)}`);
  const {
    pass,
    score = pass ? 1 : 0,
    reason,
    isVacuous,
  } = await kind.check({ value: value.resolved, threshold }, trial, services);
  if (isVacuous) return { ...result(false, 0, reason), weight: 0 };
  return negated ? result(!pass, 1 - score, reason) : result(pass, score, reason);
}

function valueFor(
  value: Json | undefined,
  isTemplated: boolean,
  { input, expected, metadata }: TrialView,
  clock: () => number,
): { resolved?: Json | undefined; problem?: string } {
  if (value === undefined || !isTemplated) return { resolved: value };
  try {
    const variables = { input, metadata, ...(expected === undefined ? {} : { expected }) };
    return { resolved: resolvedValue(value, recordScope(variables, clock)) };
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    return { problem: `Its value cannot be worked out: ${error.message} ${error.hint}` };
  }
}
