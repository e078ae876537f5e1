import type { Account } from "../../../services/services.ts";
import { type SessionUser, toAccount } from "./session-account.ts";
import type { SignOutNote } from "./sign-out-note.ts";

interface AccountListener {
  onChange(account: Account | null): void;
  /** The session has ended, and nobody signed out. */
  onEnded(): void;
}

/**
 * Tells a listener of an account from what the auth library says of sessions. A session may end without anybody signing out, as
 * by a new password elsewhere: the account then stays, for its work is still on the page, until it, or another, signs in, or
 * until it signs out.
 */
export function followAccount({ onChange, onEnded }: AccountListener, note: SignOutNote) {
  let known: SessionUser | null = null;
  let ended = false;
  return (user: SessionUser | null): void => {
    if (user === null) {
      if (known !== null && !note.isAbout(known.id)) {
        if (!ended) onEnded();
        ended = true;
        return;
      }
      known = null;
      ended = false;
      return onChange(null);
    }
    if (ended && known?.id !== user.id) onChange(null);
    known = user;
    ended = false;
    onChange(toAccount(user));
  };
}
