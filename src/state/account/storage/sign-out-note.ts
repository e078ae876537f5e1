import type { KeyValueStorage } from "./guest-account.ts";

/** The key of the note. It outlives the sweep of a sign-out, so that slower tabs find it. */
export const signOutNoteKey = "switchyard:signed-out";

const deletedMark = " deleted";

/** Who has signed out of this browser: by it every tab tells a sign-out from a session that has ended by itself. */
export interface SignOutNote {
  /** `deleted`: there is no such account any more. */
  write(accountId: string, deleted?: boolean): void;
  isAbout(accountId: string): boolean;
  isOfDeleted(): boolean;
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
  const notes = () => [here, attempt((kept) => kept.getItem(signOutNoteKey))];
  return {
    write(accountId, deleted = false) {
      here = deleted ? accountId + deletedMark : accountId;
      attempt((kept) => kept.setItem(signOutNoteKey, here ?? ""));
    },
    isAbout: (accountId) => notes().some((note) => note === accountId || note === accountId + deletedMark),
    isOfDeleted: () => notes().some((note) => note?.endsWith(deletedMark)),
    clear() {
      here = null;
      attempt((kept) => kept.removeItem(signOutNoteKey));
    },
  };
}
