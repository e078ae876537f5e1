import type { RunCountRow, SpendingRow } from "../../stores/services.ts";

/** What something took: US dollars (a lower bound where calls have no price), tokens, calls, runs. */
export interface CostSum {
  key: string;
  name: string;
  costUsd: number;
  unpricedCalls: number;
  inputTokens: number;
  outputTokens: number;
  calls: number;
  runs: number;
}

function emptySum(key: string, name: string): CostSum {
  return { key, name, costUsd: 0, unpricedCalls: 0, inputTokens: 0, outputTokens: 0, calls: 0, runs: 0 };
}

type Group = { key: string; name: string };

function addSpending(sums: Map<string, CostSum>, row: SpendingRow, { key, name }: Group): void {
  const sum = sums.get(key) ?? emptySum(key, name);
  sums.set(key, {
    ...sum,
    costUsd: sum.costUsd + row.costUsd,
    unpricedCalls: sum.unpricedCalls + row.unpricedCalls,
    inputTokens: sum.inputTokens + row.inputTokens,
    outputTokens: sum.outputTokens + row.outputTokens,
    calls: sum.calls + row.calls,
  });
}

function addRuns(sums: Map<string, CostSum>, row: RunCountRow, { key, name }: Group): void {
  const sum = sums.get(key) ?? emptySum(key, name);
  sums.set(key, { ...sum, runs: sum.runs + row.runs });
}

const dearestFirst = (a: CostSum, b: CostSum) =>
  b.costUsd - a.costUsd || b.inputTokens + b.outputTokens - a.inputTokens - a.outputTokens || b.runs - a.runs;

/** What each workflow took, the dearest first. */
export function byWorkflow(spending: readonly SpendingRow[], counts: readonly RunCountRow[]): CostSum[] {
  const sums = new Map<string, CostSum>();
  const group = (row: { workflowId: string; workflowName: string }) => ({
    key: row.workflowId,
    name: row.workflowName,
  });
  for (const row of spending) addSpending(sums, row, group(row));
  for (const row of counts) addRuns(sums, row, group(row));
  return [...sums.values()].toSorted(dearestFirst);
}

/** What each model took, the dearest first; how many runs used it is not known. */
export function byModel(spending: readonly SpendingRow[]): CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const row of spending) {
    addSpending(sums, row, { key: `${row.provider} ${row.model}`, name: `${row.model} (${row.provider})` });
  }
  return [...sums.values()].toSorted(dearestFirst);
}

/** What each of these days took, in order; days without a run are zero. */
export function byDay(
  spending: readonly SpendingRow[],
  counts: readonly RunCountRow[],
  days: readonly string[],
): CostSum[] {
  const sums = new Map(days.map((day): [string, CostSum] => [day, emptySum(day, day)]));
  const group = ({ day }: { day: string }) => ({ key: day, name: day });
  for (const row of spending) if (sums.has(row.day)) addSpending(sums, row, group(row));
  for (const row of counts) if (sums.has(row.day)) addRuns(sums, row, group(row));
  return [...sums.values()];
}

/** All of them together. */
export function totalOf(sums: readonly CostSum[]): CostSum {
  return sums.reduce(
    (total, sum) => ({
      ...total,
      costUsd: total.costUsd + sum.costUsd,
      unpricedCalls: total.unpricedCalls + sum.unpricedCalls,
      inputTokens: total.inputTokens + sum.inputTokens,
      outputTokens: total.outputTokens + sum.outputTokens,
      calls: total.calls + sum.calls,
      runs: total.runs + sum.runs,
    }),
    emptySum("all", "All"),
  );
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
