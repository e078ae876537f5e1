import { forgetRemoval, keptRemovals } from "../state/run/kept-removals.ts";
import { browserTable } from "../state/shared/storage/browser-table.ts";

interface Owned {
  id: string;
  owner?: string;
}

/** What waits in this browser for its account to come back: turns that no memory took, and files that are being added. */
const waiting = [
  ["switchyard-turns", "turns"],
  ["switchyard-knowledge", "pending"],
] as const;

/** Removes what signing out leaves, since the account may come back: one that was deleted does not. */
export async function forgetDeletedAccount(accountId: string): Promise<void> {
  for (const { id, owner } of keptRemovals()) if (owner === accountId) forgetRemoval(id);
  for (const [database, store] of waiting) {
    const table = browserTable<Owned>(() => globalThis.indexedDB, database, store);
    for (const { id, owner } of await table.all()) if (owner === accountId) await table.remove(id);
  }
}
