import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { endInterruptedRuns, wordsOfInterruption } from "../features/run/end-interrupted-runs.ts";
import { whenIdle } from "../state/shared/storage/when-idle.ts";
import { useEditor, useServices } from "../state/editor/editor-context.tsx";
import { watchTabs } from "../state/run/watch-tabs.ts";
import { interruptedError } from "../state/run/interrupt-run.ts";
import { showToast } from "../ui/feedback/toast-store.ts";

/** When a workflow is opened and nothing else is to be done, and when another tab is closed: ends the runs that it left behind, and says so. */
export function useInterruptedRuns(): void {
  const { workflowId } = useEditor();
  const { runs } = useServices();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  useEffect(() => {
    const end = async () => {
      const { marked, changed } = await endInterruptedRuns(runs, workflowId);
      if (changed) await queries.invalidateQueries({ queryKey: ["runs", workflowId] });
      const [last] = marked;
      if (last === undefined) return;
      showToast(
        interruptedError.message,
        {
          id: "interrupted",
          hint: await wordsOfInterruption(runs, last),
          action: { label: "Show the run", onClick: () => navigate(`/runs/${last}`) },
          durationMs: 20_000,
        },
        "warning",
      );
    };
    // Without a connection they stay as they are until the workflow is opened again.
    const endQuietly = () => void end().catch(() => {});
    whenIdle(endQuietly);
    return watchTabs(endQuietly);
  }, [workflowId, runs, queries, navigate]);
}
