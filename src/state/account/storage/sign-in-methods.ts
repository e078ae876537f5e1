import type { AuthError, User } from "@supabase/supabase-js";
import { z } from "zod/mini";
import { type Account, type AuthService, ServiceError } from "../../../services/services.ts";
import { authFailure, isAuthError } from "./auth-failure.ts";
import {
  forgetGuestAccount,
  keepGuestAccount,
  type KeyValueStorage,
  loadGuestAccount,
  newGuestAccount,
} from "./guest-account.ts";
import { thrownFailure } from "../../shared/storage/service-failure.ts";
import { toAccount } from "./session-account.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

interface UserAnswer {
  data: { user: User | null; session?: unknown };
  error: AuthError | null;
}

const resetAnswer = z.object({
  email: z.optional(z.string()),
  error_code: z.optional(z.string()),
  msg: z.optional(z.string()),
});

type SignInMethods = Omit<
  AuthService,
  "current" | "onChange" | "onEnded" | "knowsGuest" | "deleteAccount" | "wasDeleted"
>;

/** The ways in and out, and what changes an account. Each rejects with a ServiceError. */
export function createSignInMethods(
  { auth, config, send }: Pick<SupabaseClient, "auth" | "config" | "send">,
  storage: KeyValueStorage | null,
): SignInMethods {
  const signUp = (email: string, password: string, invite?: string) =>
    attempt("create the account", async () =>
      auth.signUp({ email, password, ...(invite === undefined ? {} : { options: { data: { invite } } }) }),
    );
  const signIn = (email: string, password: string) =>
    attempt("sign in", async () => auth.signInWithPassword({ email, password }));

  async function enterWithGuestAccount(invite?: string): Promise<Account> {
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
    const account = await signUp(fresh.email, fresh.password, invite);
    keepGuestAccount(storage, fresh);
    return account;
  }

  return {
    enterAsGuest: (invite) =>
      config.embedded
        ? enterWithGuestAccount(invite)
        : attempt("enter as a guest", async () => auth.signInAnonymously()),

    signUp,
    signIn,

    async signOut() {
      // Only this browser: other devices stay signed in. Without a connection the session is forgotten all the same.
      const { error } = await auth.signOut({ scope: "local" });
      if (error !== null) throw authFailure("sign out", error);
    },

    async keepGuest(email, password) {
      const account = await attempt("create the account", async () => auth.updateUser({ email, password }));
      if (account.guest) {
        const hint = "Open the link in the e-mail that was sent to you. Until then you are a guest.";
        throw new ServiceError("unauthorized", "The e-mail address has to be confirmed first.", hint);
      }
      forgetGuestAccount(storage);
      return account;
    },

    async changePassword(current, next) {
      await attempt("change the password", async () => auth.updateUser({ password: next, current_password: current }));
    },

    async askForReset(email) {
      // A hosted Supabase sends people to the site that its project names, or to this one if it is listed there.
      const options = typeof window === "undefined" ? {} : { redirectTo: `${window.location.origin}/` };
      const { error } = await auth.resetPasswordForEmail(email, options).catch((thrown: unknown) => {
        throw isAuthError(thrown) ? authFailure("send the link", thrown) : thrownFailure("send the link", thrown);
      });
      if (error !== null) throw authFailure("send the link", error);
    },

    async resetPassword(token, password) {
      // The link has opened a session, as a hosted Supabase's does.
      if (token === null) return attempt("set the password", async () => auth.updateUser({ password }));
      const response = await send("/auth/v1/reset-password", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token, password }),
      }).catch((thrown: unknown) => {
        throw thrownFailure("set the password", thrown);
      });
      const answer = resetAnswer.parse(await response.json().catch(() => ({})));
      if (!response.ok || answer.email === undefined) {
        const { error_code: code, msg: message = "" } = answer;
        throw authFailure("set the password", { name: "AuthApiError", status: response.status, code, message });
      }
      return signIn(answer.email, password);
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
