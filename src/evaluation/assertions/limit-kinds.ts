import { z } from "zod/mini";
import { type AssertionKind, defineAssertion } from "./assertion-kind.ts";
import type { TrialView } from "./trial-view.ts";

/** The run may not need more of something than the threshold says. */
function limit(measure: (trial: TrialView) => number | null, words: (amount: number) => string): AssertionKind {
  return defineAssertion({
    value: z.optional(z.number("expected a number")),
    isTemplated: true,
    needsThreshold: true,
    check({ value, threshold }, trial) {
      const most = threshold ?? value ?? 0;
      const amount = measure(trial);
      if (amount === null) return { pass: false, reason: "The price of a model is not known. Set it at the model." };
      return { pass: amount <= most, reason: `The run took ${words(amount)}; up to ${words(most)} are allowed.` };
    },
  });
}

/** Assertions about what a run took. */
export const limitKinds: Readonly<Record<string, AssertionKind>> = {
  cost: limit(
    ({ costUsd }) => costUsd,
    (amount) => `${Number(amount.toPrecision(4))} US dollars`,
  ),
  latency: limit(
    ({ latencyMs }) => latencyMs,
    (amount) => `${Math.round(amount)} ms`,
  ),
  tokens: limit(
    ({ tokens }) => tokens,
    (amount) => `${amount} tokens`,
  ),
};
