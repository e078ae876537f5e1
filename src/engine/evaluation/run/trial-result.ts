import { z } from "zod/mini";

const assertionResult = z.object({
  type: z.string(),
  metric: z.optional(z.string()),
  pass: z.boolean(),
  score: z.number(),
  reason: z.string(),
  weight: z.number(),
});

/**
 * What came of one trial. `excluded`: something kept it from being tried that says nothing of the agent, such as a rate limit of
 * the vendor; it counts neither way.
 */
export const trialResultSchema = z.object({
  variant: z.string(),
  caseId: z.string(),
  /** Counts from 1. */
  trial: z.int(),
  status: z.enum(["passed", "failed", "excluded"]),
  /** Mean of the assertions' scores by their weights. */
  score: z.number(),
  /** Why it failed or does not count; empty for one that passed. */
  reason: z.string(),
  assertions: z.array(assertionResult),
  /** The answer, cut to some thousand characters. */
  answer: z.string(),
  runId: z.string(),
  /** US dollars that the run costs, recorded calls included; null when a price is not known. */
  costUsd: z.nullable(z.number()),
  /** US dollars that were spent now, judges included. */
  spentUsd: z.nullable(z.number()),
  /** Milliseconds that the run took, or took when it was recorded. */
  latencyMs: z.number(),
  tokens: z.number(),
  /** Calls that the recording did not have and that were made. */
  misses: z.int(),
  /** The code of the error that keeps it from counting. */
  excludedBy: z.optional(z.string()),
  /** What a person says of the answer. */
  label: z.optional(z.enum(["right", "wrong"])),
});

/** One trial's result, as it is stored. */
export type TrialResult = z.infer<typeof trialResultSchema>;

/** Which trial it is. */
export type TrialKey = Pick<TrialResult, "variant" | "caseId" | "trial">;

/** A trial's key as text. */
export function trialKey({ variant, caseId, trial }: TrialKey): string {
  return JSON.stringify([variant, caseId, trial]);
}
