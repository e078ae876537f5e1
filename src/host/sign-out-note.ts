import type { KeyValueStorage } from "./guest-account.ts";

/** The key of the note. It outlives the sweep of a sign-out, so that slower tabs find it. */
export const signOutNoteKey = "switchyard:signed-out";

/** Who has signed out of this browser: by it every tab tells a sign-out from a session that has ended by itself. */
export interface SignOutNote {
  write(accountId: string): void;
  isAbout(accountId: string): boolean;
  clear(): void;
}

/** Without storage only this tab knows. */
export function createSignOutNote(storage: KeyValueStorage | null): SignOutNote {
  let here: string | null = null;
  const attempt = <Value>(use: (storage: KeyValueStorage) => Value): Value | null => {
    try {
      return storage === null ? null : use(storage);
    } catch {
      return null;
    }
  };
  return {
    write(accountId) {
      here = accountId;
      attempt((kept) => kept.setItem(signOutNoteKey, accountId));
    },
    isAbout: (accountId) => accountId === here || accountId === attempt((kept) => kept.getItem(signOutNoteKey)),
    clear() {
      here = null;
      attempt((kept) => kept.removeItem(signOutNoteKey));
    },
  };
}
