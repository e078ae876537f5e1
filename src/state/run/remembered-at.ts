import type { RunState } from "../../engine/run/run-state.ts";

/** When a run's turn was last saved to its memory, in milliseconds since 1970; null when it was not. */
export function rememberedAt(run: RunState): number | null {
  const saves = run.steps.flatMap((step) =>
    step.kind === "note" && step.event.type === "memory-save" && step.event.scratch !== true && !step.parentCallId
      ? [step.event.at]
      : [],
  );
  return saves.at(-1) ?? null;
}
