import type { NodeStatus, RunState } from "../../engine/run/run-state.ts";

/** The node where a run is at the moment: the one that began last of those that run or wait for a person. */
export function activeNode(run: RunState | undefined): string | null {
  if (run?.status !== "running") return null;
  let latest: string | null = null;
  let since = -Infinity;
  for (const [id, { status, startedAt = 0 }] of Object.entries(run.nodes)) {
    if (!isActive(status) || id.includes("/") || startedAt < since) continue;
    latest = id;
    since = startedAt;
  }
  return latest;
}

function isActive(status: NodeStatus): boolean {
  return status === "running" || status === "approval" || status === "paused";
}
