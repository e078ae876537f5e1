const prefix = "switchyard-ingest-";

/** Lets go of a lock. Resolves once it is free. */
export type ReleaseLock = () => Promise<void>;

/**
 * The lock of a document, or of a source that waits to be read, against other tabs of this browser; undefined where another
 * tab has it. With a signal it waits until that tab lets go, and rejects with the signal's reason. Where the browser has no
 * locks it is always given.
 */
export async function takeIngestLock(id: string, wait?: AbortSignal): Promise<ReleaseLock | undefined> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return () => Promise.resolve();
  const { locks } = navigator;
  return await new Promise((resolve, reject) => {
    let release = () => {};
    const held = new Promise<void>((free) => (release = free));
    const settled: Promise<void> = locks
      .request(prefix + id, wait ? { signal: wait } : { ifAvailable: true }, async (lock) => {
        if (lock === null) return resolve(undefined);
        resolve(async () => {
          release();
          await settled;
        });
        await held;
      })
      .catch((error: unknown) => {
        if (wait?.aborted) reject(error);
        else resolve(() => Promise.resolve());
      });
  });
}
