import { createHmac, randomBytes } from "node:crypto";

/** Counts by the minute in a fixed amount of memory, whoever comes under however many names. */
export interface MinuteCounts {
  /** Milliseconds until `name` may go on; 0 when it may now, and was counted. What is refused is not counted. */
  take(name: string, max: number): number;
}

/** Two names may share a place, so that nobody is forgotten to make room for others. */
const placeCount = 65_536;
const minuteMs = 60_000;

export function createMinuteCounts(now: () => number = Date.now): MinuteCounts {
  const secret = randomBytes(32);
  const begun = new Float64Array(placeCount);
  const used = new Uint32Array(placeCount);
  return {
    take(name, max) {
      const place = createHmac("sha256", secret).update(name).digest().readUInt32BE(0) % placeCount;
      const end = (begun[place] ?? 0) + minuteMs;
      if (end <= now()) {
        begun[place] = now();
        used[place] = 1;
        return 0;
      }
      if ((used[place] ?? 0) >= max) return end - now();
      used[place] = (used[place] ?? 0) + 1;
      return 0;
    },
  };
}
