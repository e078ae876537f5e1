import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { markInterrupted } from "../../stores/mark-interrupted.ts";
import { forgetOwnRun, ownRuns } from "../../stores/own-runs.ts";
import { aliveRuns } from "../../stores/run-lock.ts";

/**
 * Once per opening of a workflow: runs whose tab is gone are stored as interrupted, and runs that are kept no longer are
 * deleted. Nothing is run again.
 */
export function useInterruptedRuns(): void {
  const { workflowId } = useEditor();
  const { runs } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    const mark = async () => {
      const options = { runs, workflowId, alive: await aliveRuns(), own: ownRuns(), now: Date.now() };
      const marked = await markInterrupted(options);
      for (const runId of marked) forgetOwnRun(runId);
      const pruned = await runs.prune();
      if (marked.length > 0 || pruned > 0) await queries.invalidateQueries({ queryKey: ["runs", workflowId] });
    };
    // Without a connection they stay as they are until the workflow is opened again.
    mark().catch(() => {});
  }, [workflowId, runs, queries]);
}
