/** A store of IndexedDB, opened when it is first used. Undefined wherever the browser refuses or has none. */
export interface BrowserTable {
  ask<Value>(mode: IDBTransactionMode, make: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value | undefined>;
}

/** The rows of one store, each with its `id`. What is written survives the end of the browser at any moment. */
export function browserTable(
  factory: () => IDBFactory | undefined,
  databaseName: string,
  storeName: string,
): BrowserTable {
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

  return {
    async ask(mode, make) {
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
    },
  };
}
