import type { BrowserTable } from "../../services/services.ts";
import { type DecisionCheck, decisionChecks, restoreCheck } from "./decision-checks.ts";

/** A check as this browser keeps it, by the id of its run. */
export interface KeptCheck extends Pick<DecisionCheck, "calls" | "trials" | "samples"> {
  id: string;
  /** Of this shape; another one is left alone. */
  format: 1;
  /** A check that was under way when its tab went away counts as stopped. */
  status: Exclude<DecisionCheck["status"], "running">;
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
}

/** Checks of more runs than this: the oldest are forgotten. */
const mostChecks = 50;

/** The checks of runs, kept in this browser. */
export interface KeptChecks {
  /** Puts what is kept of a run's check where the pages look, unless the tab has a newer one. Never rejects. */
  load(runId: string): Promise<void>;
}

/** Writes each check down as it goes on. What the browser does not keep is there until the tab is closed. */
export function createKeptChecks(table: BrowserTable<KeptCheck>): KeptChecks {
  async function write(runId: string, { status, calls, trials, samples }: DecisionCheck): Promise<void> {
    const stopped = status === "running" ? "stopped" : status;
    const written = { id: runId, format: 1 as const, status: stopped, calls, trials, samples, at: Date.now() };
    await table.put(written);
    if (status === "running") return;
    const all = (await table.all()).toSorted((a, b) => b.at - a.at);
    await Promise.all(all.slice(mostChecks).map(({ id }) => table.remove(id)));
  }

  // What was just read need not be written.
  const restored = new WeakSet<DecisionCheck>();

  decisionChecks.subscribe(({ checks }, before) => {
    for (const [runId, check] of Object.entries(checks))
      if (check !== before.checks[runId] && check.isKept && !restored.has(check)) void write(runId, check);
  });

  return {
    async load(runId) {
      const kept = await table.get(runId);
      if (kept?.format !== 1) return;
      const { calls, trials, samples, status } = kept;
      const check: DecisionCheck = { status, calls, trials, samples, isKept: true, stop: () => {} };
      restored.add(check);
      restoreCheck(runId, check);
    },
  };
}
