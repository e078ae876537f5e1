import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { reduceStoredRun } from "../../state/run/reduce-stored-run.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { TurnReplay } from "./turn-replay.tsx";

/** Goes through a run under its answer: one that the tab holds, or one that is read from the database for that. */
export function RunReplay({ runId, picture }: { runId: string; picture: ReactNode }) {
  const { runs } = useEditor();
  const [held] = useState(() => runs.getState().runs[runId]);
  return held ? <TurnReplay run={held} picture={picture} /> : <StoredReplay runId={runId} picture={picture} />;
}

function StoredReplay({ runId, picture }: { runId: string; picture: ReactNode }) {
  const { runs: store } = useEditor();
  const { runs } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ["replayed-run", runId],
    queryFn: async () => {
      const [summary, events] = await Promise.all([runs.get(runId), runs.events(runId)]);
      const run = await reduceStoredRun(summary, events);
      store.getState().open(run, events);
      return { run, events };
    },
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  if (error !== null) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div className="self-center text-muted">
        <Spinner label="Loading the run" />
      </div>
    );
  return <TurnReplay run={data.run} events={data.events} picture={picture} />;
}
