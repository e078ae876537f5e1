import type { NodeStatus, RunState } from "../../engine/run/run-state.ts";

/** The nodes where a run is at the moment, running or waiting for a person; the one that began last comes first. */
export function activeNodes(run: RunState | undefined): string[] {
  if (run?.status !== "running") return [];
  return Object.entries(run.nodes)
    .filter(([id, { status }]) => isActive(status) && !id.includes("/"))
    .toSorted(([, { startedAt: a = 0 }], [, { startedAt: b = 0 }]) => b - a)
    .map(([id]) => id);
}

function isActive(status: NodeStatus): boolean {
  return status === "running" || status === "approval" || status === "paused";
}
