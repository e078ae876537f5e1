import type { QueryVectors } from "../host.ts";

/** Keeps as many vectors of queries as are given, those that were used last, each for its account alone. */
export function queryVectors(most: number) {
  const kept = new Map<string, readonly number[]>();
  return {
    of(account: string): QueryVectors {
      const keyOf = (key: string) => JSON.stringify([account, key]);
      const put = (key: string, vector: readonly number[]) => {
        kept.delete(key);
        kept.set(key, vector);
        const [oldest] = kept.keys();
        if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      };
      return {
        get(key) {
          const vector = kept.get(keyOf(key));
          if (vector) put(keyOf(key), vector);
          return vector;
        },
        set: (key, vector) => put(keyOf(key), vector),
      };
    },
  };
}
