import { MutationObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { labelTrial, readTrials, trialsKey } from "./trial-labels.ts";

const trial: TrialResult = {
  variant: "Saved",
  caseId: "Hello",
  trial: 1,
  status: "passed",
  score: 1,
  reason: "",
  assertions: [],
  answer: "Hello",
  runId: "",
  costUsd: null,
  spentUsd: null,
  latencyMs: 1,
  tokens: 1,
  misses: 0,
};

type Label = TrialResult["label"];

/** A shown list of one trial, on a server whose reads and writes the test lets through. */
async function world() {
  const evaluationId = crypto.randomUUID();
  const queries = new QueryClient();
  let stored = trial;
  const reads: (() => void)[] = [];
  const writes: ((error?: Error) => void)[] = [];
  const evaluations = {
    trials() {
      const read = [stored];
      return new Promise<TrialResult[]>((resolve) => reads.push(() => resolve(read)));
    },
    addTrial: (_id: string, result: TrialResult) =>
      new Promise<void>((resolve, reject) => {
        writes.push((error) => {
          if (error) return reject(error);
          stored = result;
          resolve();
        });
      }),
  };
  const queryKey = trialsKey(evaluationId);
  const list = new QueryObserver(queries, { queryKey, queryFn: () => readTrials(evaluations, evaluationId) });
  const seen: Label[] = [];
  list.subscribe(({ data }) => {
    const label = data?.[0]?.label;
    if (data && seen.at(-1) !== label) seen.push(label);
  });
  reads.shift()?.();
  await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true);
  const labels = new MutationObserver(queries, labelTrial(queries, evaluations));
  return {
    reads,
    writes,
    seen,
    stored: () => stored.label,
    shown: () => list.getCurrentResult().data?.[0]?.label,
    read: () => void queries.invalidateQueries({ queryKey }),
    say: (label: Label) => void labels.mutate({ evaluationId, trial, label }).catch(() => undefined),
    isQuiet: () => queries.isFetching() === 0 && queries.isMutating() === 0,
  };
}

it("stores labels in the order in which they were given", async () => {
  const { say, writes, shown, stored, isQuiet } = await world();
  say("right");
  say("wrong");
  await expect.poll(() => writes.length).toBe(1);
  expect(shown()).toBe("wrong");
  writes[0]?.();
  await expect.poll(() => writes.length).toBe(2);
  writes[1]?.();
  await expect.poll(isQuiet).toBe(true);
  expect([stored(), shown()]).toEqual(["wrong", "wrong"]);
});

it("shows a label also where the list was read before it was stored", async () => {
  const { say, read, reads, writes, seen, isQuiet } = await world();
  read();
  await expect.poll(() => reads.length).toBe(1);
  say("right");
  await expect.poll(() => writes.length).toBe(1);
  reads.shift()?.();
  await expect.poll(() => seen).toEqual(["right"]);
  // This answer comes after the label is stored.
  read();
  await expect.poll(() => reads.length).toBe(1);
  writes[0]?.();
  await expect.poll(() => reads.length).toBe(2);
  for (const answer of reads) answer();
  await expect.poll(isQuiet).toBe(true);
  expect(seen).toEqual(["right"]);
});

it("takes back only the label that could not be stored", async () => {
  const { say, reads, writes, shown, isQuiet } = await world();
  say("right");
  await expect.poll(() => writes.length).toBe(1);
  writes[0]?.(new Error("Offline"));
  await expect.poll(() => reads.length).toBe(1);
  say("wrong");
  reads[0]?.();
  await expect.poll(() => writes.length).toBe(2);
  expect(shown()).toBe("wrong");
  writes[1]?.(new Error("Offline"));
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.();
  await expect.poll(isQuiet).toBe(true);
  expect(shown()).toBeUndefined();
});
