import type { WorkflowSummary } from "../../stores/services.ts";

export const workflowOrders = ["edited", "name", "created"] as const;
export type WorkflowOrder = (typeof workflowOrders)[number];

const compare: Record<WorkflowOrder, (one: WorkflowSummary, other: WorkflowSummary) => number> = {
  edited: (one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt),
  created: (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt),
  name: (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true, sensitivity: "base" }),
};

/** The workflows whose name holds every word of `search`, in the chosen order. */
export function arrangeWorkflows(
  workflows: readonly WorkflowSummary[],
  search: string,
  order: WorkflowOrder,
): WorkflowSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return workflows
    .filter((workflow) => words.every((word) => workflow.name.toLowerCase().includes(word)))
    .toSorted(compare[order]);
}
