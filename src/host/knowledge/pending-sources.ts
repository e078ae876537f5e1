import type { PendingSource, PendingSources } from "../../stores/knowledge-services.ts";

const databaseName = "switchyard-knowledge";
const storeName = "pending";

/** Waiting sources in IndexedDB; in memory where the browser keeps nothing, so that only a reload loses them. */
export function createPendingSources(factory: IDBFactory | undefined): PendingSources {
  const unkept = new Map<string, PendingSource>();
  let opened: Promise<IDBDatabase | null> | undefined;

  function open(): Promise<IDBDatabase | null> {
    opened ??= new Promise((resolve) => {
      try {
        const request = factory?.open(databaseName, 1);
        if (!request) return resolve(null);
        request.addEventListener("upgradeneeded", () => request.result.createObjectStore(storeName, { keyPath: "id" }));
        request.addEventListener("success", () => resolve(request.result));
        for (const refusal of ["error", "blocked"]) request.addEventListener(refusal, () => resolve(null));
      } catch {
        // A browser that forbids storage throws at once.
        resolve(null);
      }
    });
    return opened;
  }

  /** Undefined when the browser refuses. */
  async function ask<Value>(
    mode: IDBTransactionMode,
    make: (store: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value | undefined> {
    const database = await open();
    if (!database) return undefined;
    return await new Promise((resolve) => {
      try {
        const transaction = database.transaction(storeName, mode);
        const request = make(transaction.objectStore(storeName));
        transaction.addEventListener("complete", () => resolve(request.result));
        for (const refusal of ["abort", "error"]) transaction.addEventListener(refusal, () => resolve(undefined));
      } catch {
        resolve(undefined);
      }
    });
  }

  return {
    async put(pending) {
      const kept = await ask("readwrite", (store) => store.put({ ...pending, at: Date.now() }));
      if (kept === undefined) unkept.set(pending.id, pending);
    },
    async list(owner) {
      const kept = (await ask<(PendingSource & { at?: number })[]>("readonly", (store) => store.getAll())) ?? [];
      const ofOwner = kept.filter((pending) => pending.owner === owner).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
      return [...ofOwner, ...[...unkept.values()].filter((pending) => pending.owner === owner)];
    },
    async remove(id) {
      unkept.delete(id);
      await ask("readwrite", (store) => store.delete(id));
    },
  };
}
