import { useCallback, useEffect, useRef, useState } from "react";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { followRun, hasEnded } from "../../state/run/follow-run.ts";
import { settleStoredRun } from "../../state/run/reduce-stored-run.ts";
import type { RunStore } from "../../state/run/run-store.ts";
import type { RunSummary, Services } from "../../services/services.ts";
import { showError } from "../../ui/feedback/toast.tsx";

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
  // By a session that has ended, or a run that is gone; only the first can be followed again.
  const isLost = useRef(false);

  useEffect(() => {
    if (round === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const onNews = (next: RunSummary, workers: number | undefined) => {
      setSummary(next);
      if (hasEnded(next.status)) setRound(null);
      setLooksAlone((before) => (workers === 0 ? before + 1 : 0));
    };
    follow(runId, runs, services, { signal, onNews }).catch((error: unknown) => {
      if (signal.aborted) return;
      isLost.current = true;
      showError(error);
    });
    return () => controller.abort();
  }, [round, runId, runs, services]);

  useEffect(
    () =>
      services.auth.onChange((account) => {
        if (account === null || !isLost.current) return;
        isLost.current = false;
        look();
      }),
    [services, look],
  );

  const following = round !== null;
  return { summary, following, workerMissing: following && looksAlone >= looksBeforeTold, look };
}

interface FollowOptions {
  signal: AbortSignal;
  /** `workers`: how many there are, asked only while the run is queued. */
  onNews(summary: RunSummary, workers: number | undefined): void;
}

async function follow(runId: string, runs: RunStore, services: Services, { signal, onNews }: FollowOptions) {
  for await (const { summary, events } of followRun(runId, { ...services, signal })) {
    const state = runs.getState();
    const last = runs.events(runId).at(-1)?.seq ?? -1;
    state.apply(events.filter(({ seq }) => seq > last));
    state.flush();
    const run = runs.getState().runs[runId];
    const settled = run && settleStoredRun(run, summary);
    if (settled !== undefined && settled !== run) state.lookAt(settled, null);
    const queue = summary.status === "queued" ? await services.serverRuns.queue().catch(() => undefined) : undefined;
    if (signal.aborted) return;
    onNews(summary, queue?.workers);
  }
}

/** Its row and its events were read at the same time: an end may have come in between. */
function isWhole({ id, status }: RunSummary, runs: RunStore): boolean {
  return hasEnded(status) && runs.getState().runs[id]?.endedAt !== undefined;
}
