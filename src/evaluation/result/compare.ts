import { pairedTest, type TalliedPair } from "../statistics/paired-test.ts";
import { isWorse } from "../statistics/worse-case.ts";
import type { CaseSummary, Comparison } from "./evaluation.ts";

type Tallied = Pick<CaseSummary, "caseId" | "passed" | "trials">;

/** Compares the results of two versions case by case; cases that only one of them has are left out. */
export function compareResults(
  against: string,
  before: readonly Tallied[],
  after: readonly Tallied[],
  confidence: number,
): Comparison {
  const earlier = new Map(before.map((one) => [one.caseId, one]));
  const pairs = after.flatMap((one): (TalliedPair & { caseId: string })[] => {
    const other = earlier.get(one.caseId);
    return other ? [{ caseId: one.caseId, before: other, after: one }] : [];
  });
  const test = pairedTest(pairs);
  const worse = pairs.filter((pair) => isWorse(pair, confidence)).map(({ caseId }) => caseId);
  const better = pairs
    .filter((pair) => isWorse({ before: pair.after, after: pair.before }, confidence))
    .map(({ caseId }) => caseId);
  return { against, ...test, worse, better, words: comparisonWords(test, against, confidence) };
}

function comparisonWords(
  { cases, difference, pValue }: ReturnType<typeof pairedTest>,
  against: string,
  confidence: number,
): string {
  if (cases === 0) return `No case has trials both here and in ${against}.`;
  const points = Math.abs(Math.round(difference * 100));
  const p = pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toFixed(3)}`;
  if (pValue >= 1 - confidence) {
    const seen = points === 0 ? "No difference" : `A difference of ${points} points, which may be chance,`;
    return `${seen} from ${against} over ${cases} ${cases === 1 ? "case" : "cases"} (${p}).`;
  }
  const which = difference > 0 ? "more" : "less";
  return `${points} points ${which} than ${against} over ${cases} cases; chance hardly explains it (${p}).`;
}
