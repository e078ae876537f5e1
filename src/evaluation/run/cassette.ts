import type { PrivacySettings } from "../../engine/document/workflow-document.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { EventMask } from "../../engine/run/privacy/event-mask.ts";

/** The runs in a cassette, in the order in which they began there. */
export function runsInCassette(events: readonly RunEvent[]): RunEvent[][] {
  const runs = new Map<string, RunEvent[]>();
  for (const event of events) {
    const known = runs.get(event.runId);
    if (known) known.push(event);
    else runs.set(event.runId, [event]);
  }
  return [...runs.values()];
}

/**
 * What a cassette keeps of runs, one after the other: masked as the workflow asks, and without the pieces of streamed texts, which stand
 * in the responses.
 */
export function cassetteOf(runs: readonly (readonly RunEvent[])[], privacy: PrivacySettings | undefined): RunEvent[] {
  const masked = runs.flatMap((events) => {
    const mask = privacy && new EventMask(privacy);
    return mask ? events.flatMap((event) => mask.take(event)) : events;
  });
  return masked.filter(({ type }) => type !== "text-delta" && type !== "log");
}
