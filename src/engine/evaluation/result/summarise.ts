import { addCost } from "../../model/usage.ts";
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
  cases: readonly EvaluationCase[],
  { confidence, seed }: { confidence: number; seed: number },
): Measured {
  const summaries = cases.map(({ id }) => caseSummary(id, results, confidence));
  const counted = results.filter(({ status }) => status !== "excluded");
  const excluded = results.filter(({ status }) => status === "excluded");
  const passed = counted.filter(({ status }) => status === "passed").length;
  const interval = suiteInterval(summaries, { confidence, seed });
  const rate = suiteRate(summaries);
  const costs = counted.reduce<number | null>((sum, { costUsd }) => addCost(sum, costUsd), 0);
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
    excludedBy,
    alwaysFailing: summaries.filter(({ state }) => state === "failing").map(({ caseId }) => caseId),
    meanCostUsd: counted.length === 0 || costs === null ? null : costs / counted.length,
    p95LatencyMs: percentile(
      counted.map(({ latencyMs }) => latencyMs),
      0.95,
    ),
    words:
      rate === undefined
        ? "No trial counts, so nothing is known."
        : `${passed} of ${counted.length} trials passed. The pass rate lies between ${percent(interval.low)} and ${percent(interval.high)} (${percent(confidence)} confidence).`,
  };
}

function caseSummary(caseId: string, results: readonly TrialResult[], confidence: number): CaseSummary {
  const own = results.filter((result) => result.caseId === caseId);
  const counted = own.filter(({ status }) => status !== "excluded");
  const [passed, trials] = [counted.filter(({ status }) => status === "passed").length, counted.length];
  const state = trials === 0 ? "unknown" : passed === trials ? "passing" : passed === 0 ? "failing" : "mixed";
  return {
    caseId,
    passed,
    trials,
    excluded: own.length - trials,
    interval: wilsonInterval(passed, trials, confidence),
    state,
    meanScore: trials === 0 ? null : counted.reduce((sum, { score }) => sum + score, 0) / trials,
    passHat: passHats(passed, trials),
    words: provenWords(passed, trials, confidence),
  };
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
  if (isBroken || variants.every(({ trials }) => trials === 0)) return "not-run";
  const has = (status: VariantSummary["gate"]["status"]) => variants.some(({ gate }) => gate.status === status);
  if (has("failed")) return "failed";
  if (has("too-little-evidence")) return "too-little-evidence";
  if (has("passed")) return "passed";
  // Without a gate every trial has to pass.
  const states = variants.flatMap(({ cases }) => cases.map(({ state }) => state));
  if (states.some((state) => state === "failing" || state === "mixed")) return "failed";
  return states.includes("unknown") ? "too-little-evidence" : "passed";
}
