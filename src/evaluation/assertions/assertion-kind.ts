import type { z } from "zod/mini";
import type { AssertionServices } from "./services.ts";
import type { TrialView } from "./trial-view.ts";

/** What an assertion found; `score` is 1 or 0 when absent. */
export interface Verdict {
  pass: boolean;
  score?: number;
  reason: string;
  /** There was nothing to look for, such as an empty text: it says nothing, turned round or not, and decides nothing. */
  isVacuous?: true;
}

/** What an assertion says that had nothing to look for. */
export function nothingToCheck(reason: string): Verdict {
  return { pass: false, reason, isVacuous: true };
}

/** One type of assertion. */
export interface AssertionKind<Value = unknown> {
  /** What `value` has to be, once its templates are resolved. */
  value: z.ZodMiniType<Value>;
  /** Whether templates in `value` are resolved; code reads the case by itself. */
  isTemplated: boolean;
  /** It says nothing without a `threshold` (or a `value` in its place). */
  needsThreshold?: true;
  /** Throws what keeps it from being decided: such a trial does not count. */
  check(
    asked: { value: Value; threshold: number | undefined },
    trial: TrialView,
    services: AssertionServices,
  ): Verdict | Promise<Verdict>;
}

/** Declares a type of assertion; only infers its value's type. */
export function defineAssertion<Value>(kind: AssertionKind<Value>): AssertionKind {
  return {
    ...kind,
    check: ({ value, threshold }, trial, services) =>
      kind.check({ value: kind.value.parse(value), threshold }, trial, services),
  };
}
