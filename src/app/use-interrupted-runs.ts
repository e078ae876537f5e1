import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { whenIdle } from "../host/when-idle.ts";
import { useEditor, useServices } from "../stores/editor-context.tsx";

/** Once per opening of a workflow, when nothing else is to be done: ends the runs that a closed tab left behind. */
export function useInterruptedRuns(): void {
  const { workflowId } = useEditor();
  const { runs } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    const end = async () => {
      const { endInterruptedRuns } = await import("../features/run/end-interrupted-runs.ts");
      if (await endInterruptedRuns(runs, workflowId)) {
        await queries.invalidateQueries({ queryKey: ["runs", workflowId] });
      }
    };
    // Without a connection they stay as they are until the workflow is opened again.
    whenIdle(() => void end().catch(() => {}));
  }, [workflowId, runs, queries]);
}
