import type { CostSum } from "../../services/services.ts";

/** What each of these days took, in order; days without a run are zero. */
export function fillDays(sums: readonly CostSum[], days: readonly string[]): CostSum[] {
  const known = new Map(sums.map((sum) => [sum.key, sum]));
  return days.map((day) => known.get(day) ?? emptyDay(day));
}

function emptyDay(key: string): CostSum {
  const nothing = { costUsd: 0, unpricedCalls: 0, inputTokens: 0, outputTokens: 0, calls: 0, runs: 0 };
  return { key, name: key, provider: "", merged: 1, ...nothing };
}

/** What a row stands for, in words; `what` is one of its kind. */
export function sumName({ key, name, provider, merged }: CostSum, what: "workflow" | "model"): string {
  if (key === null) return merged === 1 ? `1 other ${what}` : `${merged.toLocaleString("en")} other ${what}s`;
  return provider === "" ? name : `${name} (${provider})`;
}

/** The last so many days of this place up to today, `YYYY-MM-DD`, and the moments around them. */
export function lastDays(count: number, now: Date): { days: string[]; from: string; to: string } {
  const dayOf = (offset: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset);
  const days = Array.from({ length: count }, (_, index) => isoDay(dayOf(index - count + 1)));
  return { days, from: dayOf(1 - count).toISOString(), to: dayOf(1).toISOString() };
}

function isoDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
