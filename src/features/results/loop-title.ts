import type { StepRow } from "./step-rows.ts";

type LoopRow = Extract<StepRow, { kind: "round" | "iteration" }>;

/** The name of a round or an iteration; what comes before the loop, such as planning, is counted as iteration 0. */
export function loopTitle(row: LoopRow): string {
  if (row.kind === "round") return `Round ${row.round}`;
  return row.iteration === 0 ? "Before the first iteration" : `Iteration ${row.iteration}`;
}
