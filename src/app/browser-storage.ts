import { checkTable } from "./check-table.ts";
import { signOutNoteKey } from "../state/account/storage/sign-out-note.ts";
import { draftJournal } from "./browser-drafts.ts";

/** The browser's storage, or null where it is switched off. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Whose data this browser holds. */
const ownerKey = "switchyard:owner";

/**
 * What belongs to this browser rather than to an account: looks, pane sizes, the guest's way back, and which runs are still
 * to be deleted once their owner is back, and that somebody has signed out.
 */
const keptAfterSignOut = [
  /^switchyard:theme$/,
  /^switchyard:guest$/,
  /^switchyard:panel$/,
  /^switchyard:removed-runs$/,
  new RegExp(`^${signOutNoteKey}$`),
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

/**
 * Claims what this browser holds for the account that has signed in. What another one has left, whose session ended while no page
 * was there to sweep up after it, goes first.
 */
export function claimBrowser(storage: Storage | null, accountId: string): void {
  try {
    const owner = storage?.getItem(ownerKey) ?? null;
    if (owner !== null && owner !== accountId) forgetAccountData(storage);
    storage?.setItem(ownerKey, accountId);
  } catch {
    // A storage that cannot be written holds nothing of another account.
  }
}
