const prefix = "switchyard-ingest-";

/**
 * Runs `work` unless another tab of this browser works on the same document (or waiting source); then gives undefined.
 * Where the browser has no locks it runs: the database takes equal chunks twice rather than none.
 */
export async function withIngestLock<Value>(id: string, work: () => Promise<Value>): Promise<Value | undefined> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return await work();
  return await navigator.locks.request(prefix + id, { ifAvailable: true }, async (lock) =>
    lock === null ? undefined : await work(),
  );
}
