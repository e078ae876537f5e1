const prefix = "switchyard-run-";

/**
 * Shows other tabs that a run is alive: a lock that the browser lets go when its tab closes or crashes. Returns the
 * release function. Where the browser has no locks (a page that is not served securely) nothing is shown.
 */
export function holdRunLock(runId: string): () => void {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  if (typeof navigator !== "undefined" && "locks" in navigator) {
    void navigator.locks.request(prefix + runId, () => held).catch(() => {});
  }
  return () => release?.();
}

/** The runs that some tab of this browser is executing; null when that cannot be known. */
export async function aliveRuns(): Promise<ReadonlySet<string> | null> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return null;
  const { held = [], pending = [] } = await navigator.locks.query();
  const names = [...held, ...pending].map((lock) => lock.name ?? "");
  return new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
}
