import type { AuthError, User } from "@supabase/auth-js";
import { type Account, type AuthService, ServiceError } from "../stores/services.ts";
import { authFailure, isAuthError } from "./auth-failure.ts";
import { keepGuestAccount, type KeyValueStorage, loadGuestAccount, newGuestAccount } from "./guest-account.ts";
import { thrownFailure } from "./service-failure.ts";
import { toAccount } from "./session-account.ts";
import type { SupabaseClient } from "./supabase-client.ts";

interface UserAnswer {
  data: { user: User | null; session?: unknown };
  error: AuthError | null;
}

type Entrance = Pick<AuthService, "enterAsGuest" | "signUp" | "signIn" | "signOut">;

/** The ways in and out. Each rejects with a ServiceError. */
export function createEntrance(
  { auth, config }: Pick<SupabaseClient, "auth" | "config">,
  storage: KeyValueStorage | null,
): Entrance {
  const signUp = (email: string, password: string, invite?: string) =>
    attempt("create the account", async () =>
      (await auth()).signUp({ email, password, ...(invite === undefined ? {} : { options: { data: { invite } } }) }),
    );
  const signIn = (email: string, password: string) =>
    attempt("sign in", async () => (await auth()).signInWithPassword({ email, password }));

  async function enterWithGuestAccount(invite?: string): Promise<Account> {
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
    const account = await signUp(fresh.email, fresh.password, invite);
    keepGuestAccount(storage, fresh);
    return account;
  }

  return {
    enterAsGuest: (invite) =>
      config.embedded
        ? enterWithGuestAccount(invite)
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
