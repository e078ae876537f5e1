import { decodeJwt } from "jose";
import { z } from "zod/mini";
import { authRefusal, authTooMany } from "./auth-answers.ts";
import { hashPassword, whyNoPassword } from "./new-password.ts";
import type { CallAsService } from "../functions/service-calls.ts";
import type { SignInLimit } from "./sign-in-limit.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

const change = z.looseObject({
  email: z.optional(z.string()),
  password: z.optional(z.string()),
  current_password: z.optional(z.string()),
  data: z.optional(z.unknown()),
});
const user = z.object({ id: z.uuid(), email: z.string() });
const session = z.object({ session_id: z.uuid() });

/** Where the addresses of guests are, which no mail reaches. */
const guestDomain = "@guest.local";

type SignIn = (request: Request, address: string) => Promise<Response>;

/**
 * Takes changes of an account (`PUT /auth/v1/user`), which the auth API itself would make for whoever holds a session: a new
 * password asks for the current one, and a guest gets an address and a password and stays the same user. Both end the other
 * sessions of the account. Refusals are errors as the API's clients read them: `current_password_invalid`, `email_exists`,
 * `same_password`, `weak_password`, `over_request_rate_limit`.
 */
export function createAccountChanges(options: {
  api: SupabaseApi;
  callAsService: CallAsService;
  /** Compares the current password, as at the door: equally slow, and counted with the wrong ones there. */
  signIn: SignIn;
  /** Slows down whoever tries addresses to see which are taken. */
  limit: SignInLimit;
}): (request: Request, address: string) => Promise<Response> {
  const { api, callAsService, signIn, limit } = options;

  async function keepGuest(id: string, sessionId: string, email: string, password: string, address: string) {
    if (!z.email().check(z.maxLength(254)).safeParse(email).success || email.toLowerCase().endsWith(guestDomain)) {
      return authRefusal(400, "email_address_invalid", "Unable to validate email address: invalid format");
    }
    const attempt = limit.begin(address, `guest ${id}`);
    if (!attempt.allowed) return authTooMany(attempt.waitMs, "There were too many attempts.");
    let outcome: unknown;
    try {
      const parameters = { p_user: id, p_session: sessionId, p_email: email, p_password: await hashPassword(password) };
      outcome = await callAsService("studio_keep_guest", parameters);
    } finally {
      attempt.end(outcome === "taken" ? "wrong" : "unknown");
    }
    if (outcome === "taken") {
      return authRefusal(422, "email_exists", "A user with this email address has already been registered");
    }
    return outcome === "kept" ? null : authRefusal(403, "user_not_found", "There is no such guest any more.");
  }

  async function setPassword(
    { id, email }: z.infer<typeof user>,
    sessionId: string,
    { password, current }: { password: string; current: string | undefined },
    { request, address }: { request: Request; address: string },
  ) {
    if (current === undefined) {
      return authRefusal(400, "current_password_required", "Current password required when setting new password.");
    }
    if (password === current) {
      return authRefusal(422, "same_password", "New password should be different from the old password.");
    }
    const asked = await signIn(
      new Request(new URL("/auth/v1/token?grant_type=password", request.url), {
        method: "POST",
        headers: { apikey: request.headers.get("apikey") ?? "", "content-type": "application/json" },
        body: JSON.stringify({ email, password: current }),
      }),
      address,
    );
    if (asked.status === 400) {
      return authRefusal(400, "current_password_invalid", "The current password is wrong.");
    }
    if (!asked.ok) return asked;
    // The session that this opened ends with the others.
    const parameters = { p_user: id, p_session: sessionId, p_password: await hashPassword(password) };
    const done = await callAsService("studio_set_password", parameters);
    return done === true ? null : authRefusal(403, "user_not_found", "There is no such account any more.");
  }

  return async (request, address) => {
    const asked = change.safeParse(jsonOf(await request.clone().text()));
    if (!asked.success) return api(request);
    const { email, password, current_password: current, data } = asked.data;
    if (email === undefined && password === undefined) return api(request);

    const read = () => api(new Request(request.url, { headers: request.headers }));
    const found = await read();
    if (!found.ok) return found;
    const account = user.parse(await found.json());
    const claims = session.safeParse(decodeJwt(request.headers.get("authorization")?.slice("Bearer ".length) ?? ""));
    if (!claims.success) return authRefusal(401, "session_not_found", "This token belongs to no session.");
    const { session_id: sessionId } = claims.data;

    const isGuest = account.email.endsWith(guestDomain);
    if (isGuest && (email === undefined || password === undefined)) {
      const msg = "A guest becomes an account with an e-mail address and a password together.";
      return authRefusal(422, "validation_failed", msg);
    }
    if (!isGuest && email !== undefined && email.toLowerCase() !== account.email) {
      const msg = "The address of an account cannot be changed here, since nobody could confirm the new one.";
      return authRefusal(422, "email_provider_disabled", msg);
    }
    const refused =
      (password === undefined ? null : whyNoPassword(password)) ??
      (isGuest
        ? await keepGuest(account.id, sessionId, email ?? "", password ?? "", address)
        : password === undefined
          ? null
          : await setPassword(account, sessionId, { password, current }, { request, address }));
    if (refused) return refused;
    if (data === undefined) return read();
    return api(new Request(request.url, { method: "PUT", headers: request.headers, body: JSON.stringify({ data }) }));
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
