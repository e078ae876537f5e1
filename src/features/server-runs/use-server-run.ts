import { useCallback, useEffect, useState } from "react";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { followRun, hasEnded } from "../../stores/follow-run.ts";
import { settleStoredRun } from "../../stores/reduce-stored-run.ts";
import { loadRunReducer } from "../../stores/run-store.ts";
import type { RunSummary } from "../../stores/services.ts";
import { showError } from "../../ui/toast.tsx";

/** A worker of the studio takes a moment to start; only then its absence is told. */
const looksBeforeTold = 3;

export interface FollowedRun {
  summary: RunSummary;
  /** Whether more may come of the run. */
  following: boolean;
  /** Whether it is queued and there is no worker to take it up. */
  workerMissing: boolean;
  /** Looks again at once. */
  look(): void;
}

/** Follows the opened run while a worker is on it: its events go to the run store, as those of a run of this tab do. */
export function useServerRun(stored: RunSummary): FollowedRun {
  const { runs } = useEditor();
  const services = useServices();
  const [summary, setSummary] = useState(stored);
  // Counts how often following began anew; null once nothing more will come.
  const [round, setRound] = useState<number | null>(() => (stored.server === null || isWhole(stored, runs) ? null : 1));
  const [looksAlone, setLooksAlone] = useState(0);
  const look = useCallback(() => setRound((before) => (before === null ? null : before + 1)), []);
  const runId = stored.id;

  useEffect(() => {
    if (round === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      await loadRunReducer();
      for await (const news of followRun(runId, { ...services, signal })) {
        const state = runs.getState();
        const last = runs.events(runId).at(-1)?.seq ?? -1;
        state.apply(news.events.filter(({ seq }) => seq > last));
        state.flush();
        const run = runs.getState().runs[runId];
        const ended = hasEnded(news.summary.status);
        if (ended && run !== undefined) state.lookAt(settleStoredRun(run, news.summary), null);
        setSummary(news.summary);
        if (ended) setRound(null);
        if (news.summary.status !== "queued") setLooksAlone(0);
        else {
          const queue = await services.serverRuns.queue().catch(() => undefined);
          setLooksAlone((before) => (queue?.workers === 0 ? before + 1 : 0));
        }
      }
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) showError(error);
    });
    return () => controller.abort();
  }, [round, runId, runs, services]);

  const following = round !== null;
  return { summary, following, workerMissing: following && looksAlone >= looksBeforeTold, look };
}

/** Its row and its events were read at the same time: an end may have come in between. */
function isWhole({ id, status }: RunSummary, runs: ReturnType<typeof useEditor>["runs"]): boolean {
  return hasEnded(status) && runs.getState().runs[id]?.endedAt !== undefined;
}
