import { EmptyState } from "../../ui/feedback/empty-state.tsx";

/** Stands where a run would be shown. */
export function NoRun() {
  return (
    <EmptyState icon="list-tree" title="No run to look at">
      Click Test, or open an earlier run in the History tab. Every model call and tool call appears here.
    </EmptyState>
  );
}
