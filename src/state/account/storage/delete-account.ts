import { z } from "zod/mini";
import { ServiceError } from "../../../services/services.ts";
import { authFailure, isAuthError } from "./auth-failure.ts";
import { createAuthorizedFetch } from "../../shared/storage/authorized-fetch.ts";
import { forgetGuestAccount, type KeyValueStorage, loadGuestAccount } from "./guest-account.ts";
import { serviceFailure, thrownFailure } from "../../shared/storage/service-failure.ts";
import { toAccount } from "./session-account.ts";
import { createSupabaseClient, type SupabaseClient } from "../../shared/storage/supabase-client.ts";

const what = "delete the account";
const state = z.enum(["sign-in-needed", "deleting", "deleted"]);

/**
 * Deletes the account that is signed in, and signs out of this browser. The server wants a session that has just begun: one is
 * opened with the password, beside the session that is kept. A guest has no password to type; this browser may have kept one.
 * Rejects with a ServiceError; the account is then as it was.
 */
export async function deleteAccount(
  { auth, config }: Pick<SupabaseClient, "auth" | "config">,
  storage: KeyValueStorage | null,
  password: string | null,
): Promise<void> {
  const { data } = await auth.getSession();
  if (data.session === null) throw serviceFailure(what, { status: 401 });
  const { user, access_token: kept } = data.session;
  const { guest, email = "" } = toAccount(user);
  const proof = guest ? loadGuestAccount(storage) : { email, password: password ?? "" };
  const isOwn = proof !== null && (!guest || proof.email === user.email);
  const token = isOwn ? await openSession(config, proof) : kept;

  const send = createAuthorizedFetch(
    config,
    () => Promise.resolve(token),
    (...args) => fetch(...args),
  );
  const ask = () =>
    send("/rest/v1/rpc/studio_delete_my_account", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  const response = await ask().catch((thrown: unknown) => {
    throw thrownFailure(what, thrown);
  });
  if (!response.ok) throw serviceFailure(what, { status: response.status });
  const reached = state.parse(await response.json());
  if (reached === "sign-in-needed") {
    const hint = guest
      ? "This browser no longer knows this guest's password. Create an account above first; then its password is asked for."
      : "Sign out, sign in, and try again.";
    throw new ServiceError("unauthorized", "You have to sign in again before you can delete the account.", hint);
  }
  if (guest) forgetGuestAccount(storage);
  // The session is gone at the server already; here it is forgotten, in all tabs.
  await auth.signOut({ scope: "local" });
  if (reached === "deleting") void goOn(ask);
}

/** Opens a session that nothing keeps; gives its token. */
async function openSession(
  config: SupabaseClient["config"],
  proof: { email: string; password: string },
): Promise<string> {
  const library = createSupabaseClient(config, { persistSession: false }).auth;
  const { data, error } = await library.signInWithPassword(proof).catch((thrown: unknown) => {
    throw isAuthError(thrown) ? authFailure(what, thrown) : thrownFailure(what, thrown);
  });
  if (error?.code === "invalid_credentials") {
    throw new ServiceError("invalid", "The password is wrong.", "Type it again; capital letters count.");
  }
  if (error !== null) throw authFailure(what, error);
  return data.session.access_token;
}

/** A hosted project has nobody else to do the rest. The studio does it by itself, and refuses the token. */
async function goOn(ask: () => Promise<Response>): Promise<void> {
  try {
    for (;;) {
      const response = await ask();
      if (!response.ok || state.parse(await response.json()) !== "deleting") return;
    }
  } catch {
    // A worker goes on.
  }
}
