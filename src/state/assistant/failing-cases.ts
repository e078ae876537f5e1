import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import type { JsonObject } from "../../engine/json.ts";

/** A suite whose failing cases are to pass, as the assistant reads it. */
export interface ReadSuite {
  name: string;
  cases: readonly EvaluationCase[];
  /** The last result; undefined before the first. */
  result: Evaluation | undefined;
}

/** Most cases that are told at once. */
const mostCases = 20;

/**
 * The cases that did not pass every time: what goes in, what is expected and which expectations failed how often. What the agent
 * answered is left out, since anybody may have had a part in it.
 */
export function failingCases({ name, cases, result }: ReadSuite): JsonObject {
  const [variant] = result?.variants ?? [];
  const failing = (variant?.cases ?? []).filter(({ state }) => state === "failing" || state === "mixed");
  const unchecked = (variant?.cases ?? []).filter(({ state }) => state === "unchecked").map(({ caseId }) => caseId);
  return {
    suite: name,
    failing: failing.length,
    of: cases.length,
    // Neither passed nor failed.
    ...(unchecked.length > 0 ? { unchecked } : {}),
    cases: failing.slice(0, mostCases).map(({ caseId, passed, trials }) => {
      const made = result?.trials.filter((trial) => trial.caseId === caseId && trial.status === "failed") ?? [];
      const failed = new Map<string, number>();
      for (const { assertions } of made)
        for (const { type, metric, pass } of assertions)
          if (!pass) failed.set(metric ?? type, (failed.get(metric ?? type) ?? 0) + 1);
      const found = cases.find(({ id }) => id === caseId);
      return {
        case: caseId,
        passed: `${passed} of ${trials}`,
        input: found?.input ?? null,
        ...(found?.expected === undefined ? {} : { expected: found.expected }),
        failed: Object.fromEntries(failed),
      };
    }),
  };
}
