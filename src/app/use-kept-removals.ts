import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { finishRemovals } from "../features/history/removed-runs.ts";
import { whenIdle } from "../state/shared/storage/when-idle.ts";
import { keptRemovals } from "../state/run/kept-removals.ts";
import { useServices } from "../services/services-context.tsx";

/** Once per sign-in and visit: deletes the runs whose deletion a closed tab left undone. */
export function useKeptRemovals(accountId: string): void {
  const { runs } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    if (!keptRemovals().some(({ owner }) => owner === accountId)) return;
    const finish = () => finishRemovals(accountId, { runs, queries });
    // Without a connection they stay until the next visit.
    whenIdle(() => void finish().catch(() => {}));
  }, [accountId, runs, queries]);
}
