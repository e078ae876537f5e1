import type { QueryVectors } from "../host.ts";

/** What a credential leads to may change, and with it what its model makes. */
const maxAgeMs = 10 * 60_000;

interface KeptVector {
  vector: readonly number[];
  /** When it was made. */
  at: number;
}

/**
 * Keeps as many vectors of queries as are given, those that were used last, each for its account alone and for ten minutes. `now`: the
 * host's clock, in milliseconds.
 */
export function queryVectors(maxEntries: number, now: () => number) {
  const kept = new Map<string, KeptVector>();
  return {
    of(account: string): QueryVectors {
      const keyOf = (key: string) => JSON.stringify([account, key]);
      const put = (key: string, made: KeptVector) => {
        kept.delete(key);
        kept.set(key, made);
        const [oldest] = kept.keys();
        if (kept.size > maxEntries && oldest !== undefined) kept.delete(oldest);
      };
      return {
        get(key) {
          const made = kept.get(keyOf(key));
          if (!made) return undefined;
          if (now() - made.at >= maxAgeMs) {
            kept.delete(keyOf(key));
            return undefined;
          }
          put(keyOf(key), made);
          return made.vector;
        },
        set: (key, vector) => put(keyOf(key), { vector, at: now() }),
      };
    },
  };
}
