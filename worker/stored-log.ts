import type { RunEvent } from "../src/engine/run/events.ts";
import { EventPacker, EventUnpacker } from "../src/engine/run/stored-events.ts";
import { SpendingByModel } from "../src/state/run/spending-by-model.ts";

/** The log of a run's earlier attempts as it was before it was stored, in order. */
export function unpackedLog(stored: readonly RunEvent[]): RunEvent[] {
  const unpacker = new EventUnpacker();
  return stored.map((event) => unpacker.unpack(event));
}

/** What has to be known of the events so far to store those that come. */
export function storedSoFar(events: readonly RunEvent[]) {
  const packer = new EventPacker();
  const spending = new SpendingByModel();
  for (const event of events) {
    packer.pack(event);
    spending.add(event);
  }
  return { packer, spending };
}

/** Makes one event of the neighbouring pieces of one answer; the first keeps its place, and the numbers of the rest are left out. */
export function mergeDeltas(events: readonly RunEvent[]): RunEvent[] {
  const merged: RunEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (
      last !== undefined &&
      (event.type === "text-delta" || event.type === "reasoning-delta") &&
      last.type === event.type &&
      last.callId === event.callId &&
      last.replayed === event.replayed
    ) {
      merged[merged.length - 1] = { ...last, text: last.text + event.text };
    } else merged.push(event);
  }
  return merged;
}
