import type { TrialResult } from "../run/trial-result.ts";
import { cohensKappa } from "../statistics/kappa.ts";

/** Labels from which on kappa says something. */
export const labelsForKappa = 30;

/** How far a judge and the people who labelled the same answers agree, in words; undefined where no judge was asked. */
export function judgeAgreement(
  trials: readonly Pick<TrialResult, "assertions" | "label" | "status">[],
): string | undefined {
  const judged = trials
    .filter(({ status }) => status === "passed" || status === "failed")
    .flatMap(({ assertions, label }) => {
      const rubrics = assertions.filter(({ type }) => type === "llm-rubric");
      return rubrics.length === 0 ? [] : [{ pass: rubrics.every(({ pass }) => pass), label }];
    });
  if (judged.length === 0) return undefined;
  const pairs = judged.flatMap(({ pass, label }) => (label === undefined ? [] : [[pass, label === "right"] as const]));
  if (pairs.length < labelsForKappa) {
    return `${pairs.length} of ${labelsForKappa} labels: from ${labelsForKappa} on it is known how far the judge agrees with you.`;
  }
  const agreed = pairs.filter(([judge, person]) => judge === person).length;
  const counted = `The judge agrees with you in ${agreed} of ${pairs.length} labels`;
  const kappa = cohensKappa(pairs);
  if (kappa === null) return `${counted}; κ is not defined, since all of them are the same.`;
  return `${counted}: κ = ${kappa.toFixed(2)} (1 is full agreement, 0 is chance).`;
}
