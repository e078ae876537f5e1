import type { StorageUse } from "./services.ts";

/** Under this key the use of storage is kept among the queries. */
export const storageKey = ["storage-use"];

export const storageLimits = {
  /** The share of a limit from which on it is said. */
  near: 0.8,
};

/** The limit that is the nearest to being reached, where one is near; the first of those that are full. */
export function nearestLimit(use: readonly StorageUse[]): StorageUse | null {
  const share = ({ used, most }: StorageUse) => (most === 0 ? 1 : used / most);
  const [nearest] = use.filter((one) => share(one) >= storageLimits.near).toSorted((a, b) => share(b) - share(a));
  return nearest ?? null;
}
