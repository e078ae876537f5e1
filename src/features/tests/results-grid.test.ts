import { expect, it } from "vitest";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { comparedRun } from "./results-grid.tsx";

const rest = { score: 1, reason: "", assertions: [], answer: "", costUsd: 0, spentUsd: 0, latencyMs: 0, tokens: 0 };
const trial = (variant: string, caseId: string, number: number, runId: string): TrialResult => ({
  ...rest,
  variant,
  caseId,
  trial: number,
  runId,
  status: "passed",
  misses: 0,
});

it("compares a trial with the same one of an earlier result, else with that of the first version", () => {
  const now = [trial("small", "a", 1, "s1"), trial("large", "a", 1, "l1"), trial("large", "a", 2, "l2")];
  const [small, large, second] = now;
  if (!small || !large || !second) throw new Error("There should be three trials.");
  expect(comparedRun(large, now, undefined)).toEqual({ runId: "s1", words: "small" });
  expect(comparedRun(small, now, undefined)).toBeUndefined();
  expect(comparedRun(second, now, undefined)).toBeUndefined();
  const before = [trial("large", "a", 1, "old-l1"), trial("as saved", "a", 2, "old-2"), trial("large", "b", 1, "x")];
  expect(comparedRun(large, now, before)).toEqual({ runId: "old-l1", words: "the earlier result" });
  // Its versions had other names then.
  expect(comparedRun(second, now, before)).toEqual({ runId: "old-2", words: "the earlier result" });
  expect(comparedRun(trial("large", "a", 1, "l1"), now, [trial("large", "a", 1, "")])).toBeUndefined();
});
