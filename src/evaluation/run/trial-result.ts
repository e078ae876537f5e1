import { z } from "zod/mini";

const assertionResult = z.object({
  type: z.string(),
  metric: z.optional(z.string()),
  pass: z.boolean(),
  score: z.number(),
  reason: z.string(),
  weight: z.number(),
});

/** What a trial came to. */
const statuses = ["passed", "failed", "unchecked", "excluded"] as const;

const storedTrial = z.object({
  variant: z.string(),
  caseId: z.string(),
  /** Counts from 1. */
  trial: z.int(),
  status: z.enum(statuses),
  /** Mean of the assertions' scores by their weights. */
  score: z.number(),
  /** Why it failed, was not checked or does not count; empty for one that passed. */
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

/**
 * What came of one trial. `unchecked`: the run went through, and nothing decided whether it is right. `excluded`: something kept it from
 * being tried that says nothing of the agent, such as a rate limit of the vendor. Neither counts as passed or failed. Earlier versions
 * stored `passed` for a trial that nothing had checked; it is read as `unchecked`.
 */
export const trialResultSchema = z.pipe(
  storedTrial,
  z.transform((trial) =>
    trial.status === "passed" && !isChecked(trial.assertions) ? { ...trial, status: "unchecked" as const } : trial,
  ),
);

/** One trial's result, as it is stored. */
export type TrialResult = z.infer<typeof storedTrial>;

/** Whether anything decided: an assertion that has a weight. */
export function isChecked(assertions: readonly { weight: number }[]): boolean {
  return assertions.some(({ weight }) => weight > 0);
}

/** Which trial it is. */
export type TrialKey = Pick<TrialResult, "variant" | "caseId" | "trial">;

/** A trial's key as text. */
export function trialKey({ variant, caseId, trial }: TrialKey): string {
  return JSON.stringify([variant, caseId, trial]);
}
