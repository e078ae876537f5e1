import { addCost } from "../../engine/model/usage.ts";
import { type EvaluationRun, variantNames } from "../run/run-evaluation.ts";
import type { TrialResult } from "../run/trial-result.ts";
import { passHat } from "../statistics/pass-hat.ts";
import { suiteInterval, suiteRate } from "../statistics/suite-interval.ts";
import { wilsonInterval } from "../statistics/wilson.ts";
import { percent, provenWords } from "../statistics/words.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import type { Suite } from "../suite/suite.ts";
import { compareResults } from "./compare.ts";
import type { CaseSummary, Comparison, Evaluation, MeasuredVersions, VariantSummary } from "./evaluation.ts";
import { checkGate } from "./gate.ts";

/** What a summary is made of. */
export interface SummaryOptions {
  suite: Suite;
  /** What results call the suite and the workflow. */
  name: string;
  workflow: string;
  /** Which versions of them were measured. */
  versions?: MeasuredVersions | undefined;
  cases: readonly EvaluationCase[];
  run: EvaluationRun;
  /** An earlier result to compare with. */
  baseline?: Evaluation | undefined;
}

/** What the trials of an evaluation add up to. Pure: the same trials give the same summary. */
export function summarise({ suite, name, workflow, versions, cases, run, baseline }: SummaryOptions): Evaluation {
  const { results, planned, stopped } = run;
  const confidence = suite.gate?.confidence ?? 0.95;
  const names = variantNames(suite);
  const measured = names.map((variant) => {
    const own = results.filter((result) => result.variant === variant);
    return measure(variant, own, cases, { confidence, seed: suite.seed });
  });
  const variants = measured.map((variant): VariantSummary => {
    const comparison = comparisonOf(variant, measured, baseline, confidence);
    const gate = checkGate(suite.gate, variant, comparison);
    return { ...variant, gate, ...(comparison ? { comparison } : {}) };
  });
  const order = new Map(cases.map(({ id }, index) => [id, index]));
  const place = ({ caseId, variant, trial }: TrialResult) =>
    (order.get(caseId) ?? 0) * 1_000_000 + names.indexOf(variant) * 1_000 + trial;
  return {
    format: "switchyard-evaluation",
    version: 1,
    suite: name,
    workflow,
    ...(versions ? { measured: versions } : {}),
    replay: suite.replay,
    confidence,
    seed: suite.seed,
    planned,
    spentUsd: results.reduce<number | null>((sum, { spentUsd }) => addCost(sum, spentUsd), 0),
    ...(stopped ? { stopped } : {}),
    status: statusOf(variants, stopped !== undefined && stopped.by !== "cost"),
    variants,
    trials: results.toSorted((a, b) => place(a) - place(b)),
  };
}

type Measured = Omit<VariantSummary, "gate" | "comparison">;

function measure(
  variant: string,
  results: readonly TrialResult[],
  cases: readonly Pick<EvaluationCase, "id">[],
  { confidence, seed }: { confidence: number; seed: number },
): Measured {
  const summaries = cases.map(({ id }) => caseSummary(id, results, confidence));
  const { counted, excluded, unchecked, passed } = apart(results);
  // Those that nothing checked ran all the same.
  const ran = [...counted, ...unchecked];
  const interval = suiteInterval(summaries, { confidence, seed });
  const rate = suiteRate(summaries);
  const costs = ran.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), 0);
  const excludedBy: Record<string, number> = {};
  for (const { excludedBy: code = "internal" } of excluded) excludedBy[code] = (excludedBy[code] ?? 0) + 1;
  return {
    variant,
    cases: summaries,
    passRate: rate ?? null,
    interval,
    passHat: meanPassHat(summaries),
    trials: counted.length,
    excluded: excluded.length,
    unchecked: unchecked.length,
    excludedBy,
    alwaysFailing: summaries.filter(({ state }) => state === "failing").map(({ caseId }) => caseId),
    meanCostUsd: ran.length === 0 || costs === null ? null : costs / ran.length,
    p95LatencyMs: percentile(
      ran.map(({ latencyMs }) => latencyMs),
      0.95,
    ),
    words: [
      rate === undefined
        ? unchecked.length > 0
          ? "Nothing was checked, so nothing is known."
          : "No trial counts, so nothing is known."
        : `${passed} of ${counted.length} trials passed. The pass rate lies between ${percent(interval.low)} and ${percent(interval.high)} (${percent(confidence)} confidence).`,
      ...(rate !== undefined && unchecked.length > 0 ? [uncheckedWords(unchecked.length)] : []),
    ].join(" "),
  };
}

/** Trials by what they say: those that count, those that say nothing of the agent, and those that nothing checked. */
function apart(results: readonly TrialResult[]) {
  const counted = results.filter(({ status }) => status === "passed" || status === "failed");
  const excluded = results.filter(({ status }) => status === "excluded");
  const unchecked = results.filter(({ status }) => status === "unchecked");
  return { counted, excluded, unchecked, passed: counted.filter(({ status }) => status === "passed").length };
}

function uncheckedWords(count: number): string {
  return count === 1 ? "1 trial was not checked." : `${count} trials were not checked.`;
}

function caseSummary(caseId: string, results: readonly TrialResult[], confidence: number): CaseSummary {
  const own = results.filter((result) => result.caseId === caseId);
  const { counted, excluded, unchecked, passed } = apart(own);
  const trials = counted.length;
  return {
    caseId,
    passed,
    trials,
    excluded: excluded.length,
    unchecked: unchecked.length,
    interval: wilsonInterval(passed, trials, confidence),
    state: stateOf(passed, trials, unchecked.length),
    meanScore: trials === 0 ? null : counted.reduce((sum, { score }) => sum + score, 0) / trials,
    passHat: passHats(passed, trials),
    words: trials === 0 && unchecked.length > 0 ? "Nothing was checked." : provenWords(passed, trials, confidence),
  };
}

function stateOf(passed: number, trials: number, unchecked: number): CaseSummary["state"] {
  if (unchecked > 0) return passed === trials ? "unchecked" : "mixed";
  if (trials === 0) return "unknown";
  return passed === trials ? "passing" : passed === 0 ? "failing" : "mixed";
}

/** pass^k for k = 1, 2, 4, 8, … and for all trials. */
function passHats(passed: number, trials: number): Record<string, number> {
  const hats: Record<string, number> = {};
  for (let k = 1; k <= trials; k = k === trials ? k + 1 : Math.min(trials, k * 2)) {
    const hat = passHat(passed, trials, k);
    if (hat !== undefined) hats[k] = hat;
  }
  return hats;
}

/** The mean over cases, for each k that all cases have. */
function meanPassHat(summaries: readonly CaseSummary[]): Record<string, number> {
  const counted = summaries.filter(({ trials }) => trials > 0);
  const fewest = Math.min(...counted.map(({ trials }) => trials));
  if (counted.length === 0) return {};
  const ks = Object.keys(passHats(0, fewest));
  return Object.fromEntries(
    ks.map((k) => [
      k,
      counted.reduce((sum, { passed, trials }) => sum + (passHat(passed, trials, Number(k)) ?? 0), 0) / counted.length,
    ]),
  );
}

/** Nearest rank. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

/** With a baseline, against the version of the same name in it, or its only one; else against the first of the matrix. */
function comparisonOf(
  variant: Measured,
  all: readonly Measured[],
  baseline: Evaluation | undefined,
  confidence: number,
): Comparison | undefined {
  if (baseline) {
    const [only, ...more] = baseline.variants;
    const same = baseline.variants.find((one) => one.variant === variant.variant);
    const before = same ?? (more.length === 0 ? only : undefined);
    return before && compareResults("the baseline", before.cases, variant.cases, confidence);
  }
  const [first] = all;
  if (!first || first === variant) return undefined;
  return compareResults(`"${first.variant}"`, first.cases, variant.cases, confidence);
}

function statusOf(variants: readonly VariantSummary[], isBroken: boolean): Evaluation["status"] {
  if (isBroken || variants.every(({ trials, unchecked }) => trials + unchecked === 0)) return "not-run";
  const has = (status: VariantSummary["gate"]["status"]) => variants.some(({ gate }) => gate.status === status);
  const isUnchecked = variants.some(({ unchecked }) => unchecked > 0);
  if (has("failed")) return "failed";
  if (has("too-little-evidence")) return isUnchecked ? "unchecked" : "too-little-evidence";
  if (has("passed")) return "passed";
  // Without a gate every trial has to pass.
  const states = variants.flatMap(({ cases }) => cases.map(({ state }) => state));
  if (states.some((state) => state === "failing" || state === "mixed")) return "failed";
  if (isUnchecked) return "unchecked";
  return states.includes("unknown") ? "too-little-evidence" : "passed";
}

/**
 * A stored result, read again: its trials may say that nothing checked them, which earlier versions counted as passed. Then its numbers
 * are worked out anew; what its gate said, and its comparison, are no longer known.
 */
export function recounted(evaluation: Evaluation): Evaluation {
  const { trials, confidence, seed } = evaluation;
  const counts = (variant: VariantSummary) =>
    trials.filter(({ status, variant: own }) => status === "unchecked" && own === variant.variant).length;
  if (evaluation.variants.every((variant) => variant.unchecked === counts(variant))) return evaluation;
  const variants = evaluation.variants.map(({ variant, cases }): VariantSummary => {
    const own = trials.filter((trial) => trial.variant === variant);
    const ids = cases.map(({ caseId }) => ({ id: caseId }));
    return { ...measure(variant, own, ids, { confidence, seed }), gate: { status: "none", checks: [] } };
  });
  const isBroken = evaluation.status === "not-run";
  return { ...evaluation, variants, status: statusOf(variants, isBroken) };
}
