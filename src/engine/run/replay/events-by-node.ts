import type { RunEvent } from "../events.ts";
import { type ItemPlace, placeKey, type RecordedRun, rootCallOf } from "./recorded-run.ts";

/** An event that a node made, and the one of the main flow that it happened in: itself, or the start of a tool call. */
interface NodeEvent {
  event: RunEvent;
  root: RunEvent;
}

/** The events of a recording by the node of the main flow that made them; sorted once, at the first question. */
export class EventsByNode {
  private readonly recorded: RecordedRun;
  private byPlace: Map<string, NodeEvent[]> | undefined;

  constructor(recorded: RecordedRun) {
    this.recorded = recorded;
  }

  /** What a node made for an item from one `seq` until before another, in order; where it was held is left out. */
  between(nodeId: string, place: ItemPlace, from: number, until: number): NodeEvent[] {
    this.byPlace ??= sortedByPlace(this.recorded);
    const all = this.byPlace.get(placeKey(nodeId, place)) ?? [];
    return all.slice(placeOf(all, from), placeOf(all, until));
  }
}

function sortedByPlace(recorded: RecordedRun): Map<string, NodeEvent[]> {
  const byPlace = new Map<string, NodeEvent[]>();
  for (const event of recorded.events) {
    if (event.type === "pause-wait" || event.type === "pause-end") continue;
    const root = rootCallOf(event, recorded)?.start ?? event;
    if (!("nodeId" in root) || root.nodeId === undefined) continue;
    const key = placeKey(root.nodeId, root);
    const known = byPlace.get(key);
    if (known) known.push({ event, root });
    else byPlace.set(key, [{ event, root }]);
  }
  return byPlace;
}

/** Where the events from `seq` on begin. */
function placeOf(all: readonly NodeEvent[], seq: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.event.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
