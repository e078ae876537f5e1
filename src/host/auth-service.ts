import { loadOnce } from "../engine/load-once.ts";
import type { Account, AuthService } from "../services/services.ts";
import { type KeyValueStorage, loadGuestAccount } from "./guest-account.ts";
import { thrownFailure } from "./service-failure.ts";
import { followAccount } from "./follow-account.ts";
import { type SessionUser, toAccount } from "./session-account.ts";
import { createSignOutNote } from "./sign-out-note.ts";
import type { LazySupabase } from "./lazy-supabase.ts";
import { whenIdle } from "./when-idle.ts";

/**
 * Accounts through Supabase Auth. Hosted Supabase has anonymous users for guests; the embedded one has not, so there a
 * guest is an account that this browser makes and keeps in `storage`, which also lets it come back after signing out.
 */
export function createAuthService(
  client: Pick<LazySupabase, "auth" | "config" | "send"> & Partial<Pick<LazySupabase, "keptSession">>,
  storage: KeyValueStorage | null,
): AuthService {
  const { auth } = client;
  const note = createSignOutNote(storage);
  let latest: string | null = null;
  // A page of someone who is signed in shows without it.
  const load = loadOnce(async () => (await import("./sign-in-methods.ts")).createSignInMethods(client, storage));
  const methods = (what: string) =>
    load().catch((thrown: unknown) => {
      throw thrownFailure(what, thrown);
    });

  const entered = (account: Account): Account => {
    note.clear();
    return account;
  };

  function follow(listener: Parameters<typeof followAccount>[0]): () => void {
    const controller = new AbortController();
    const { signal } = controller;
    const hear = followAccount(listener, note);
    const tell = (user: SessionUser | null, isSure: boolean) => {
      if (signal.aborted) return;
      latest = user?.id ?? latest;
      hear(user, isSure);
    };
    const listen = async () => {
      if (signal.aborted) return;
      const library = await auth();
      const { data } = library.onAuthStateChange((_event, session) => tell(session?.user ?? null, true));
      if (signal.aborted) data.subscription.unsubscribe();
      else signal.addEventListener("abort", () => data.subscription.unsubscribe(), { once: true });
    };
    const kept = client.keptSession?.() ?? null;
    // The library then looks at the kept session itself, refreshes it, and says when it has ended.
    if (kept !== null) {
      queueMicrotask(() => tell(kept.user, false));
      whenIdle(() => {
        void listen().catch(() => {});
        void load().catch(() => {});
      });
    } else {
      // Without the library nobody is signed in; the attempt to sign in says what is wrong.
      void listen().catch(() => tell(null, false));
    }
    return () => controller.abort();
  }

  return {
    async current() {
      const { data } = await (await auth()).getSession();
      return data.session === null ? null : toAccount(data.session.user);
    },

    onChange: (onChange) => follow({ onChange, onEnded: () => {} }),
    onEnded: (onEnded) => follow({ onChange: () => {}, onEnded }),

    knowsGuest: () => loadGuestAccount(storage) !== null,
    enterAsGuest: async (...args) => entered(await (await methods("enter as a guest")).enterAsGuest(...args)),
    signUp: async (...args) => entered(await (await methods("create the account")).signUp(...args)),
    signIn: async (...args) => entered(await (await methods("sign in")).signIn(...args)),
    async signOut() {
      const { signOut } = await methods("sign out");
      if (latest !== null) note.write(latest);
      try {
        await signOut();
      } catch (error) {
        note.clear();
        throw error;
      }
    },
    async deleteAccount(password) {
      const { deleteAccount } = await import("./delete-account.ts").catch((thrown: unknown) => {
        throw thrownFailure("delete the account", thrown);
      });
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
    keepGuest: async (...args) => (await methods("create the account")).keepGuest(...args),
    changePassword: async (...args) => (await methods("change the password")).changePassword(...args),
    askForReset: async (...args) => (await methods("send the link")).askForReset(...args),
    resetPassword: async (...args) => entered(await (await methods("set the password")).resetPassword(...args)),
  };
}
