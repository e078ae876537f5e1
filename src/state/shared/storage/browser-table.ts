import type { BrowserTable } from "../../../services/services.ts";

/** A store of IndexedDB, opened when it is first used. `factory` gives nothing where the browser has none. */
export function browserTable<Row extends { id: string }>(
  factory: () => IDBFactory | undefined,
  databaseName: string,
  storeName: string,
): BrowserTable<Row> {
  let opened: Promise<IDBDatabase | null> | undefined;

  function open(): Promise<IDBDatabase | null> {
    opened ??= new Promise((resolve) => {
      try {
        const request = factory()?.open(databaseName, 1);
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
    put: async (row) => (await ask("readwrite", (store) => store.put(row))) !== undefined,
    get: (id) => ask<Row | undefined>("readonly", (store) => store.get(id)),
    all: async () => (await ask<Row[]>("readonly", (store) => store.getAll())) ?? [],
    async remove(id) {
      await ask("readwrite", (store) => store.delete(id));
    },
    async clear() {
      await ask("readwrite", (store) => store.clear());
    },
  };
}
