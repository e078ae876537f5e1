import type { RunEvent } from "../../engine/run/events.ts";
import { OpenWrites } from "../../engine/run/replay/open-writes.ts";
import { markInterrupted } from "../../state/run/mark-interrupted.ts";
import { forgetOwnRun, ownRuns } from "../../state/run/own-runs.ts";
import { aliveRuns } from "../../state/run/run-lock.ts";
import type { RunRepository } from "../../services/services.ts";

interface EndedRuns {
  /** The runs that are called interrupted now, the newest first. */
  marked: readonly string[];
  /** Whether anything of the stored runs is different. */
  changed: boolean;
}

/**
 * Stores the workflow's runs whose tab is gone as interrupted, and deletes runs that are kept no longer. Nothing is run
 * again.
 */
export async function endInterruptedRuns(
  runs: Pick<RunRepository, "page" | "finish" | "prune">,
  workflowId: string,
): Promise<EndedRuns> {
  const marked = await markInterrupted({ runs, workflowId, alive: await aliveRuns(), own: ownRuns(), now: Date.now() });
  for (const runId of marked) forgetOwnRun(runId);
  const pruned = await runs.prune();
  return { marked, changed: marked.length > 0 || pruned > 0 };
}

/** The tool whose call waited for an approval when the events ended. */
export function unansweredTool(events: readonly RunEvent[]): string | undefined {
  const waiting = new Map<string, string>();
  for (const event of events) {
    if (event.type === "approval-wait") waiting.set(event.callId, event.toolName);
    else if (event.type === "approval-end") waiting.delete(event.callId);
  }
  return [...waiting.values()].at(-1);
}

/** What a person should know of a run that ended with its page. */
export async function wordsOfInterruption(runs: Pick<RunRepository, "events">, runId: string): Promise<string> {
  const events = await runs.events(runId);
  const tool = unansweredTool(events);
  const writes = new OpenWrites();
  for (const event of events) writes.add(event);
  const write = writes.last;
  const asked = tool === undefined ? "" : ` It was waiting for your approval of ${tool}, which was not called.`;
  const done =
    write?.toolName === undefined ? "Its last step may have been done" : `${write.toolName} may have been called`;
  const doubt = write === undefined ? "" : ` ${done}: check whether it took effect.`;
  return `A run in the browser ends with its page.${asked}${doubt} Nothing is repeated automatically.`;
}
