import { z } from "zod/mini";
import { trialResultSchema } from "../run/trial-result.ts";

const intervalSchema = z.object({ low: z.number(), high: z.number() });

const caseSummarySchema = z.object({
  caseId: z.string(),
  passed: z.int(),
  /** Trials that count. */
  trials: z.int(),
  /** Trials that say nothing of the agent, such as at a rate limit. */
  excluded: z.int(),
  /** Trials that went through and that nothing checked. Results of earlier versions have no such number. */
  unchecked: z._default(z.int(), 0),
  interval: intervalSchema,
  /** `passing` and `failing` in every trial; `unchecked` when some were not checked and none failed; `unknown` when none counts. */
  state: z.enum(["passing", "failing", "mixed", "unchecked", "unknown"]),
  meanScore: z.nullable(z.number()),
  /** pass^k by k: how likely k trials all pass. */
  passHat: z.record(z.string(), z.number()),
  words: z.string(),
});

const gateCheckSchema = z.object({
  name: z.enum(["checked", "passRate", "maxCostUsd", "p95LatencyMs", "noWorse"]),
  status: z.enum(["passed", "failed", "too-little-evidence", "skipped"]),
  message: z.string(),
});

const comparisonSchema = z.object({
  /** What it is compared with: the baseline, or the first version of the matrix. */
  against: z.string(),
  cases: z.int(),
  /** Mean of the cases' pass rates, less that of the other. */
  difference: z.number(),
  pValue: z.number(),
  method: z.enum(["McNemar", "permutation"]),
  worse: z.array(z.string()),
  better: z.array(z.string()),
  words: z.string(),
});

const variantSummarySchema = z.object({
  variant: z.string(),
  cases: z.array(caseSummarySchema),
  /** Mean of the cases' pass rates; null when no trial counts. */
  passRate: z.nullable(z.number()),
  interval: intervalSchema,
  passHat: z.record(z.string(), z.number()),
  trials: z.int(),
  excluded: z.int(),
  unchecked: z._default(z.int(), 0),
  /** How many trials do not count, by the error that kept them from it. */
  excludedBy: z.record(z.string(), z.int()),
  /** Cases that failed every time. */
  alwaysFailing: z.array(z.string()),
  /** US dollars that a trial costs on average; null when a price is not known. */
  meanCostUsd: z.nullable(z.number()),
  p95LatencyMs: z.nullable(z.number()),
  words: z.string(),
  gate: z.object({
    status: z.enum(["passed", "failed", "too-little-evidence", "none"]),
    checks: z.array(gateCheckSchema),
  }),
  comparison: z.optional(comparisonSchema),
});

const measuredSchema = z.object({ suite: z.string(), workflow: z.string() });

/** A finished or stopped evaluation, as its result file holds it. */
export const evaluationSchema = z.object({
  format: z.literal("switchyard-evaluation"),
  version: z.literal(1),
  suite: z.string(),
  workflow: z.string(),
  /** Which versions were measured, in words: those of the studio by number, those of files by a hash of what they hold. */
  measured: z.optional(measuredSchema),
  replay: z.enum(["none", "tools", "all"]),
  confidence: z.number(),
  seed: z.int(),
  /** How many trials there should be. */
  planned: z.int(),
  spentUsd: z.nullable(z.number()),
  stopped: z.optional(z.object({ by: z.enum(["cost", "cancelled", "error"]), message: z.string() })),
  /** `unchecked`: nothing failed, and there are trials that nothing checked, so that nothing is known of them. */
  status: z.enum(["passed", "failed", "unchecked", "too-little-evidence", "not-run"]),
  variants: z.array(variantSummarySchema),
  trials: z.array(trialResultSchema),
});

export type Evaluation = z.infer<typeof evaluationSchema>;
export type MeasuredVersions = z.infer<typeof measuredSchema>;
export type VariantSummary = z.infer<typeof variantSummarySchema>;
export type CaseSummary = z.infer<typeof caseSummarySchema>;
export type GateCheck = z.infer<typeof gateCheckSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
