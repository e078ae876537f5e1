import type { Activity, ActivityBucket, ActivityRange } from "../../services/services.ts";

/** The choices of the page, by the value that stands in its address. */
export const ranges = {
  "24h": { label: "Last 24 hours", bucket: "hour", count: 24 },
  "7d": { label: "Last 7 days", bucket: "day", count: 7 },
  "30d": { label: "Last 30 days", bucket: "day", count: 30 },
} as const;
export type RangeName = keyof typeof ranges;

/** The range that an address names; a day where it names none. */
export function readRange(text: string | null): RangeName {
  return text === "7d" || text === "30d" ? text : "24h";
}

const hourMs = 3_600_000;

/** When each hour or day of a range begins here, the running one last; milliseconds since 1970. */
function startsOf({ bucket, count }: (typeof ranges)[RangeName], now: Date): number[] {
  if (bucket === "hour") {
    const last = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours()).getTime();
    return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * hourMs);
  }
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index)).getTime(),
  );
}

/** What to ask for, and when its hours or days begin. */
export function activityRange(
  name: RangeName,
  now: Date,
  timeZone: string,
): { range: ActivityRange; starts: readonly number[] } {
  const look = ranges[name];
  const starts = startsOf(look, now);
  const from = new Date(starts[0] ?? now.getTime()).toISOString();
  return { range: { from, bucket: look.bucket, timeZone }, starts };
}

/** The same without a run. */
function emptyBucket(at: number): ActivityBucket {
  const nothing = { runs: 0, failed: 0, cancelled: 0, costUsd: 0, unpriced: 0, visitors: 0, up: 0, down: 0 };
  return { at, ...nothing, durations: {} };
}

/** One bucket for each beginning, empty where nothing happened. */
export function fillBuckets(buckets: Activity["buckets"], starts: readonly number[]): ActivityBucket[] {
  const known = new Map(buckets.map((bucket) => [bucket.at, bucket]));
  return starts.map((at) => known.get(at) ?? emptyBucket(at));
}

/** All buckets as one; `at` is that of the first. */
export function sumBuckets(buckets: Activity["buckets"]): ActivityBucket {
  const total = emptyBucket(buckets[0]?.at ?? 0);
  const durations: Record<string, number> = {};
  for (const bucket of buckets) {
    for (const key of ["runs", "failed", "cancelled", "costUsd", "unpriced", "visitors", "up", "down"] as const)
      total[key] += bucket[key];
    for (const [key, runs] of Object.entries(bucket.durations)) durations[key] = (durations[key] ?? 0) + runs;
  }
  return { ...total, durations };
}
