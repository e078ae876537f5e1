import { useQuery } from "@tanstack/react-query";
import type { RunState } from "../../engine/run/run-state.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import { reduceStoredRun } from "../../state/run/reduce-stored-run.ts";
import type { RunRepository } from "../../services/services.ts";

/** A run of this tab that the tab has let go of, as the database has it. Rejects when it is gone or cannot be reached. */
export async function readStoredTurn(runs: Pick<RunRepository, "get" | "events">, runId: string): Promise<RunState> {
  const [summary, events] = await Promise.all([runs.get(runId), runs.events(runId)]);
  return reduceStoredRun(summary, events);
}

/** Read while its turn is on the screen, and forgotten soon after. */
export function useStoredTurn(runId: string) {
  const { runs } = useServices();
  return useQuery({
    queryKey: ["stored-turn", runId],
    queryFn: () => readStoredTurn(runs, runId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
