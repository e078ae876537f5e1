import type { Account, AuthService } from "../../../services/services.ts";
import { deleteAccount } from "./delete-account.ts";
import { followAccount } from "./follow-account.ts";
import { type KeyValueStorage, loadGuestAccount } from "./guest-account.ts";
import { toAccount } from "./session-account.ts";
import { createSignInMethods } from "./sign-in-methods.ts";
import { createSignOutNote } from "./sign-out-note.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

/**
 * Accounts through Supabase Auth. Hosted Supabase has anonymous users for guests; the embedded one has not, so there a
 * guest is an account that this browser makes and keeps in `storage`, which also lets it come back after signing out.
 */
export function createAuthService(
  client: Pick<SupabaseClient, "auth" | "config" | "send">,
  storage: KeyValueStorage | null,
): AuthService {
  const { auth } = client;
  const note = createSignOutNote(storage);
  const methods = createSignInMethods(client, storage);
  let latest: string | null = null;

  const entered = (account: Account): Account => {
    note.clear();
    return account;
  };

  function follow(listener: Parameters<typeof followAccount>[0]): () => void {
    const hear = followAccount(listener, note);
    const { data } = auth.onAuthStateChange((_event, session) => {
      latest = session?.user.id ?? latest;
      hear(session?.user ?? null);
    });
    return () => data.subscription.unsubscribe();
  }

  return {
    async current() {
      const { data } = await auth.getSession();
      return data.session === null ? null : toAccount(data.session.user);
    },

    onChange: (onChange) => follow({ onChange, onEnded: () => {} }),
    onEnded: (onEnded) => follow({ onChange: () => {}, onEnded }),

    knowsGuest: () => loadGuestAccount(storage) !== null,
    enterAsGuest: async (...args) => entered(await methods.enterAsGuest(...args)),
    signUp: async (...args) => entered(await methods.signUp(...args)),
    signIn: async (...args) => entered(await methods.signIn(...args)),
    async signOut() {
      if (latest !== null) note.write(latest);
      try {
        await methods.signOut();
      } catch (error) {
        note.clear();
        throw error;
      }
    },
    async deleteAccount(password) {
      // Before, since another tab may be refused first.
      if (latest !== null) note.write(latest, true);
      try {
        await deleteAccount(client, storage, password);
      } catch (error) {
        note.clear();
        throw error;
      }
    },
    wasDeleted: () => note.isOfDeleted(),
    keepGuest: methods.keepGuest,
    changePassword: methods.changePassword,
    askForReset: methods.askForReset,
    resetPassword: async (...args) => entered(await methods.resetPassword(...args)),
  };
}
