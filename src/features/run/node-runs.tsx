import { lazy, Suspense } from "react";
import { useStore } from "zustand";
import type { RunControl } from "../../stores/run-control.ts";
import { nodeRunWishes } from "./node-run-wish.ts";

const NodeRunDialog = lazy(() => import("./node-run-dialog.tsx"));

/** The question with which input a node should run, while there is one. */
export function NodeRuns({ control }: { control: Pick<RunControl, "start"> }) {
  const { wish } = useStore(nodeRunWishes);
  if (wish === null) return null;
  return (
    <Suspense fallback={null}>
      <NodeRunDialog
        key={`${wish.nodeId} ${wish.until}`}
        wish={wish}
        control={control}
        onClose={() => nodeRunWishes.setState({ wish: null })}
      />
    </Suspense>
  );
}
