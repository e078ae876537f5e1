import type { AuthError, User } from "@supabase/auth-js";
import { type Account, type AuthService, ServiceError } from "../stores/services.ts";
import { authFailure, isAuthError } from "./auth-failure.ts";
import {
  isGuestAddress,
  keepGuestAccount,
  type KeyValueStorage,
  loadGuestAccount,
  newGuestAccount,
} from "./guest-account.ts";
import { thrownFailure } from "./service-failure.ts";
import type { SupabaseClient } from "./supabase-client.ts";
import { whenIdle } from "./when-idle.ts";

interface UserAnswer {
  data: { user: User | null; session?: unknown };
  error: AuthError | null;
}

/**
 * Accounts through Supabase Auth. Hosted Supabase has anonymous users for guests; the embedded one has not, so there a
 * guest is an account that this browser makes and keeps in `storage`, which also lets it come back after signing out.
 */
export function createAuthService(
  { auth, keptSession, config }: Pick<SupabaseClient, "auth" | "keptSession" | "config">,
  storage: KeyValueStorage | null,
): AuthService {
  const signUp = (email: string, password: string) =>
    attempt("create the account", async () => (await auth()).signUp({ email, password }));
  const signIn = (email: string, password: string) =>
    attempt("sign in", async () => (await auth()).signInWithPassword({ email, password }));

  async function enterWithGuestAccount(): Promise<Account> {
    const known = loadGuestAccount(storage);
    if (known !== null) {
      // The server may have been given a new data directory since; then, and only then, the guest starts afresh.
      let unknown = false;
      const account = await attempt("enter as a guest", async () => {
        const answer = await (await auth()).signInWithPassword(known);
        unknown = answer.error?.code === "invalid_credentials";
        return answer;
      }).catch((error: unknown) => {
        if (!unknown) throw error;
        return null;
      });
      if (account !== null) return account;
    }
    const fresh = newGuestAccount();
    const account = await signUp(fresh.email, fresh.password);
    keepGuestAccount(storage, fresh);
    return account;
  }

  return {
    async current() {
      const { data } = await (await auth()).getSession();
      return data.session === null ? null : toAccount(data.session.user);
    },

    onChange(listener) {
      const controller = new AbortController();
      const { signal } = controller;
      const tell = (user: SessionUser | null) => {
        if (!signal.aborted) listener(user === null ? null : toAccount(user));
      };
      const follow = async () => {
        if (signal.aborted) return;
        const library = await auth();
        const { data } = library.onAuthStateChange((_event, session) => tell(session?.user ?? null));
        if (signal.aborted) data.subscription.unsubscribe();
        else signal.addEventListener("abort", () => data.subscription.unsubscribe(), { once: true });
      };
      const kept = keptSession();
      // The library then looks at the kept session itself, refreshes it, and says when it has ended.
      if (kept !== null) {
        queueMicrotask(() => tell(kept.user));
        whenIdle(() => void follow().catch(() => {}));
      } else {
        // Without the library nobody is signed in; the attempt to sign in says what is wrong.
        void follow().catch(() => tell(null));
      }
      return () => controller.abort();
    },

    enterAsGuest: () =>
      config.embedded
        ? enterWithGuestAccount()
        : attempt("enter as a guest", async () => (await auth()).signInAnonymously()),

    signUp,
    signIn,

    async signOut() {
      // Only this browser: other devices stay signed in. Without a connection the session is forgotten all the same.
      const library = await auth().catch((thrown: unknown) => {
        throw thrownFailure("sign out", thrown);
      });
      const { error } = await library.signOut({ scope: "local" });
      if (error !== null) throw authFailure("sign out", error);
    },
  };
}

type SessionUser = Pick<User, "id" | "email" | "is_anonymous">;

function toAccount(user: SessionUser): Account {
  const guest = user.is_anonymous === true || isGuestAddress(user.email);
  return { id: user.id, guest, ...(guest || user.email === undefined ? {} : { email: user.email }) };
}

/** Runs one attempt. Rejects with a ServiceError. */
async function attempt(what: string, request: () => Promise<UserAnswer>): Promise<Account> {
  const { data, error } = await request().catch((thrown: unknown) => {
    throw isAuthError(thrown) ? authFailure(what, thrown) : thrownFailure(what, thrown);
  });
  if (error !== null) throw authFailure(what, error);
  if (data.user === null || data.session === null) {
    const hint = "Open the link in the e-mail that was sent to you, then sign in.";
    throw new ServiceError("unauthorized", "The e-mail address has to be confirmed first.", hint);
  }
  return toAccount(data.user);
}
