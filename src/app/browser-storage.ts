import { checkTable } from "./check-table.ts";
import { draftJournal } from "./browser-drafts.ts";

/** The browser's storage, or null where it is switched off. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/**
 * What belongs to this browser rather than to an account: looks, pane sizes, the guest's way back, and which runs are still
 * to be deleted once their owner is back.
 */
const keptAfterSignOut = [
  /^switchyard:theme$/,
  /^switchyard:guest$/,
  /^switchyard:panel$/,
  /^switchyard:removed-runs$/,
];

/** Removes what an account left in this browser: drafts, checked decisions, session ids, cached choices. */
export function forgetAccountData(storage: Storage | null): void {
  void draftJournal.clear();
  void checkTable.clear();
  if (storage === null) return;
  try {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    for (const key of keys) {
      if (key.startsWith("switchyard:") && !keptAfterSignOut.some((pattern) => pattern.test(key))) {
        storage.removeItem(key);
      }
    }
  } catch {
    // A storage that cannot be read holds nothing of the account either.
  }
}
