import type { NodeRunState } from "../../engine/run/run-state.ts";

/** Whether a node ended because its run was stopped, which is no failure of its own. */
export function wasStopped({ status, error }: Pick<NodeRunState, "status" | "error">): boolean {
  return status === "failed" && error?.code === "cancelled";
}
