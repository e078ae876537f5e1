import { AuthError, type User } from "@supabase/auth-js";
import { type Account, type AuthService, ServiceError } from "../stores/services.ts";
import { authFailure } from "./auth-failure.ts";
import {
  isGuestAddress,
  keepGuestAccount,
  type KeyValueStorage,
  loadGuestAccount,
  newGuestAccount,
} from "./guest-account.ts";
import { thrownFailure } from "./service-failure.ts";
import type { SupabaseClient } from "./supabase-client.ts";

interface UserAnswer {
  data: { user: User | null; session?: unknown };
  error: AuthError | null;
}

/**
 * Accounts through Supabase Auth. Hosted Supabase has anonymous users for guests; the embedded one has not, so there a
 * guest is an account that this browser makes and keeps in `storage`, which also lets it come back after signing out.
 */
export function createAuthService(
  { auth, config }: Pick<SupabaseClient, "auth" | "config">,
  storage: KeyValueStorage | null,
): AuthService {
  const signUp = (email: string, password: string) =>
    attempt("create the account", () => auth.signUp({ email, password }));
  const signIn = (email: string, password: string) =>
    attempt("sign in", () => auth.signInWithPassword({ email, password }));

  async function enterWithGuestAccount(): Promise<Account> {
    const known = loadGuestAccount(storage);
    if (known !== null) {
      // The server may have been given a new data directory since; then, and only then, the guest starts afresh.
      let unknown = false;
      const account = await attempt("enter as a guest", async () => {
        const answer = await auth.signInWithPassword(known);
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
      const { data } = await auth.getSession();
      return data.session === null ? null : toAccount(data.session.user);
    },

    onChange(listener) {
      const { data } = auth.onAuthStateChange((_event, session) => {
        listener(session === null ? null : toAccount(session.user));
      });
      return () => data.subscription.unsubscribe();
    },

    enterAsGuest: () =>
      config.embedded ? enterWithGuestAccount() : attempt("enter as a guest", () => auth.signInAnonymously()),

    signUp,
    signIn,

    async signOut() {
      // Only this browser: other devices stay signed in. Without a connection the session is forgotten all the same.
      const { error } = await auth.signOut({ scope: "local" });
      if (error !== null) throw authFailure("sign out", error);
    },
  };
}

function toAccount(user: User): Account {
  const guest = user.is_anonymous === true || isGuestAddress(user.email);
  return { id: user.id, guest, ...(guest || user.email === undefined ? {} : { email: user.email }) };
}

/** Runs one attempt. Rejects with a ServiceError. */
async function attempt(what: string, request: () => Promise<UserAnswer>): Promise<Account> {
  const { data, error } = await request().catch((thrown: unknown) => {
    throw thrown instanceof AuthError ? authFailure(what, thrown) : thrownFailure(what, thrown);
  });
  if (error !== null) throw authFailure(what, error);
  if (data.user === null || data.session === null) {
    const hint = "Open the link in the e-mail that was sent to you, then sign in.";
    throw new ServiceError("unauthorized", "The e-mail address has to be confirmed first.", hint);
  }
  return toAccount(data.user);
}
