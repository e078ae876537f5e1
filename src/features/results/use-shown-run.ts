import { useDeferredValue } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";

/** The run that a panel lists, a moment late where the page has more urgent work: lists follow, clicks come first. */
export function useShownRun(): RunState | undefined {
  return useDeferredValue(useRunStore(currentRun));
}
