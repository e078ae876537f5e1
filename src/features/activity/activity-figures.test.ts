import { expect, it } from "vitest";
import type { ActivityBucket } from "../../services/services.ts";
import { activityRange, fillBuckets, readRange, sumBuckets } from "./activity-range.ts";
import { costText, measures, shareWords } from "./measures.ts";
import { percentile } from "./percentile.ts";
import { readHeaders } from "./read-headers.ts";

const empty = { runs: 0, failed: 0, cancelled: 0, costUsd: 0, unpriced: 0, visitors: 0, up: 0, down: 0, durations: {} };
const bucket = (at: number, more: Partial<ActivityBucket> = {}): ActivityBucket => ({ at, ...empty, ...more });

it("works percentiles out within a class of a fifth", () => {
  expect(percentile({}, 0.5)).toBeNull();
  // 2^10 = 1,024 ms to 2^10.25 = 1,218 ms.
  expect(percentile({ "40": 4 }, 0.5)).toBeCloseTo(1_121, 0);
  expect(percentile({ "0": 90, "40": 10 }, 0.5)).toBeLessThan(1.2);
  expect(percentile({ "0": 90, "40": 10 }, 0.95)).toBeCloseTo(1_121, 0);
  expect(percentile({ "40": 0, "8": 1 }, 0.95)).toBeGreaterThan(4);
});

it("has an hour or a day for each bar, the running one last, also where clocks change", () => {
  const now = new Date(2026, 2, 30, 15, 42);
  const hours = activityRange("24h", now, "UTC");
  expect(hours.starts).toHaveLength(24);
  expect(hours.starts.at(-1)).toBe(new Date(2026, 2, 30, 15).getTime());
  expect(new Date(hours.range.from).getTime()).toBe(hours.starts[0]);
  const days = activityRange("30d", now, "UTC");
  expect(days.starts).toHaveLength(30);
  expect(days.starts.every((at) => new Date(at).getHours() === 0)).toBe(true);
  expect(readRange("30d")).toBe("30d");
  expect(readRange("year")).toBe("24h");
});

it("fills what is missing, and adds up", () => {
  const known = [
    bucket(2, { runs: 2, durations: { "4": 2 } }),
    bucket(4, { runs: 1, costUsd: 0.5, durations: { "4": 1 } }),
  ];
  expect(fillBuckets(known, [1, 2, 3, 4]).map(({ runs }) => runs)).toEqual([0, 2, 0, 1]);
  expect(sumBuckets(known)).toMatchObject({ runs: 3, costUsd: 0.5, durations: { "4": 3 } });
});

it("says what it knows: a cost in part, a share that is small, no rating at all", () => {
  expect(costText(bucket(0, { runs: 2, costUsd: 1 }))).toBe("$1.00");
  expect(costText(bucket(0, { runs: 2, costUsd: 1, unpriced: 1 }))).toBe("at least $1.00");
  expect(costText(bucket(0, { runs: 2, unpriced: 2 }))).toBe("cost unknown");
  expect(costText(bucket(0, { runs: 2, unpriced: 1 }))).toBe("cost unknown");
  expect([shareWords(0, 0), shareWords(1, 10_000), shareWords(1, 38), shareWords(1, 2)]).toEqual([
    "0%",
    "under 0.1%",
    "2.6%",
    "50%",
  ]);
  const words = measures.map(({ title, figure }) => [title, ...figure(bucket(0, { runs: 2, failed: 1 }), 3)]);
  expect(words[0]).toEqual(["Runs", "2", "1 failed (50%)"]);
  expect(words.at(-1)).toEqual(["Feedback", "–", "no answer was rated"]);
});

it("reads one header a line, and never repeats a value in what is wrong", () => {
  expect(readHeaders("\n Authorization: Bearer a:b \nX-Scope:1\n")).toEqual({
    ok: true,
    headers: { Authorization: "Bearer a:b", "X-Scope": "1" },
  });
  for (const text of ["Authorization Bearer test-key-1", "Bad name: test-key-1", "Empty:", ": test-key-1"]) {
    const read = readHeaders(text);
    expect(read.ok ? "" : read.problem).toMatch(/^Write each header as Name: value/);
    expect(JSON.stringify(read)).not.toContain("test-key-1");
  }
});
