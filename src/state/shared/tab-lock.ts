/**
 * Shows other tabs that something is under way here: a lock that the browser lets go when its tab closes or crashes.
 * Returns the release function. Where the browser has no locks (a page that is not served securely) nothing is shown.
 */
export function holdTabLock(name: string): () => void {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  if (typeof navigator !== "undefined" && "locks" in navigator) {
    void navigator.locks.request(name, () => held).catch(() => {});
  }
  return () => release?.();
}

/** The rest of the names of all locks, of any tab, that begin with `prefix`; null when that cannot be known. */
export async function heldTabLocks(prefix: string): Promise<ReadonlySet<string> | null> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return null;
  const { held = [], pending = [] } = await navigator.locks.query();
  const names = [...held, ...pending].map((lock) => lock.name ?? "");
  return new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
}
