import { interruptedError } from "./interrupt-run.ts";
import type { RunRepository, RunSummary } from "../../services/services.ts";

/** A run of another browser that has not ended after this long is dead. */
const longestRunMs = 24 * 60 * 60 * 1000;

/** More dead runs than this wait for the next time. */
const mostAtOnce = 200;

interface MarkInterruptedOptions {
  runs: Pick<RunRepository, "page" | "finish">;
  /** Only runs of this workflow; of all when absent. */
  workflowId?: string;
  /** Runs that some tab of this browser executes; null when that cannot be known. */
  alive: ReadonlySet<string> | null;
  /** Runs that this browser started. */
  own: readonly string[];
  now: number;
}

/**
 * Ends the stored runs whose tab is gone, as `interrupted`. A run that another tab executes, or that another browser or a
 * server may execute, is left alone. Nothing is run again. Returns the ids that were marked.
 */
export async function markInterrupted(options: MarkInterruptedOptions): Promise<string[]> {
  const { runs, workflowId, now } = options;
  const filter = {
    statuses: ["running"],
    sources: ["editor"],
    ...(workflowId === undefined ? {} : { workflowId }),
  } as const;
  const open = await runs.page(filter, mostAtOnce);
  const dead = open.runs.filter((run) => isDead(run, options));
  for (const run of dead) {
    await runs.finish(run.id, {
      status: "interrupted",
      output: null,
      error: interruptedError,
      totalTokens: run.totalTokens ?? 0,
      costUsd: run.costUsd,
      endedAt: now,
    });
  }
  return dead.map((run) => run.id);
}

function isDead(run: RunSummary, { alive, own, now }: MarkInterruptedOptions): boolean {
  // A worker's run has a lease, and goes on elsewhere when that is over.
  if (run.status !== "running" || run.source !== "editor" || alive?.has(run.id) === true) return false;
  const fromHere = alive !== null && own.includes(run.id);
  return fromHere || now - Date.parse(run.startedAt) > longestRunMs;
}
