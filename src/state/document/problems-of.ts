import type { Problem } from "../../engine/document/problem.ts";

export interface ProblemState {
  problems: readonly Problem[];
  byNode: Readonly<Record<string, readonly Problem[]>>;
}

const none: readonly Problem[] = [];

/** Problems of one node; the same empty list when there are none. */
export function problemsOf(state: ProblemState, nodeId: string): readonly Problem[] {
  return state.byNode[nodeId] ?? none;
}
