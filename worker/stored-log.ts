import type { RunEvent } from "../src/engine/run/events.ts";
import { PicturePacker, PictureUnpacker } from "../src/engine/run/stored-pictures.ts";
import { SpendingByModel } from "../src/stores/spending-by-model.ts";

/** The log of a run's earlier attempts as it was before it was stored, in order. */
export function unpackedLog(stored: readonly RunEvent[]): RunEvent[] {
  const pictures = new PictureUnpacker();
  return stored.map((event) => pictures.unpack(event));
}

/** What has to be known of the events so far to store those that come. */
export function storedSoFar(events: readonly RunEvent[]) {
  const pictures = new PicturePacker();
  const spending = new SpendingByModel();
  for (const event of events) {
    pictures.pack(event);
    spending.add(event);
  }
  return { pictures, spending };
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
