import type { AuthError } from "@supabase/supabase-js";
import { ServiceError } from "../../../services/services.ts";
import { serviceFailure } from "../../shared/storage/service-failure.ts";

type Words = readonly [kind: ServiceError["kind"], message: string, hint: string];

/** By the auth server's error codes (Supabase Auth, "Error codes"). */
const words: Readonly<Record<string, Words>> = {
  invalid_credentials: ["invalid", "E-mail and password do not match an account.", "Check both, or create an account."],
  email_not_confirmed: [
    "invalid",
    "This e-mail address is not confirmed yet.",
    "Open the link in the e-mail that was sent to you.",
  ],
  user_already_exists: ["conflict", "There is an account with this e-mail address already.", "Sign in instead."],
  email_exists: [
    "conflict",
    "There is an account with this e-mail address already.",
    "Use another address, or sign in with that account.",
  ],
  weak_password: ["invalid", "This password is too easy to guess.", "Use at least 8 characters."],
  email_address_invalid: [
    "invalid",
    "This e-mail address is not accepted.",
    "Check the spelling or use another address.",
  ],
  validation_failed: [
    "invalid",
    "E-mail address or password is not well formed.",
    "Check both; a password has at least 8 characters.",
  ],
  signup_disabled: ["unauthorized", "This studio does not accept new accounts.", "Ask whoever runs it for an account."],
  invite_required: [
    "unauthorized",
    "New accounts need an invite.",
    "Ask whoever runs this studio for a link, and open it in this browser.",
  ],
  invite_invalid: [
    "unauthorized",
    "This invite was used already, or has expired.",
    "Ask whoever runs this studio for a new one.",
  ],
  anonymous_provider_disabled: ["unauthorized", "This studio does not allow guests.", "Create an account or sign in."],
  over_request_rate_limit: ["server", "There were too many attempts.", "Wait a minute, then try again."],
  over_email_send_rate_limit: ["server", "There were too many attempts.", "Wait a minute, then try again."],
  current_password_invalid: ["invalid", "The current password is wrong.", "Type it again; capital letters count."],
  current_password_required: ["invalid", "The current password is missing.", "Type it as well."],
  otp_expired: [
    "unauthorized",
    "This link was used already, or has expired.",
    "Ask for a new one where you sign in, or from whoever runs this studio.",
  ],
  email_provider_disabled: [
    "unauthorized",
    "This studio sends no mail.",
    "Ask whoever runs it for a link: `npm run reset-password` prints one.",
  ],
  same_password: ["invalid", "This is the password that the account already has.", "Choose another one."],
};

/** Whether the auth library threw it. It marks its errors so; asking for their class would bring all of it along. */
export function isAuthError(thrown: unknown): thrown is AuthError {
  return thrown instanceof Error && "__isAuthError" in thrown;
}

/** What the auth server said, directly or by way of the auth library. */
type Refusal = Pick<AuthError, "message" | "name"> & { code?: string | undefined; status?: number | undefined };

/** A refusal of the auth server in words that can be shown; `what` is the attempt, such as "sign in". */
export function authFailure(what: string, error: Refusal): ServiceError {
  const known = words[error.code ?? ""] ?? wordsByMessage(error.message);
  if (known !== undefined) {
    const [kind, message, hint] = known;
    return new ServiceError(kind, message, whenToTryAgain(error) ?? hint);
  }
  // A broken connection comes as an AuthRetryableFetchError with status 0.
  if (error.status === 401 || error.name === "AuthSessionMissingError") return serviceFailure(what, { status: 401 });
  if (error.status === 400 || error.status === 422) {
    return new ServiceError("invalid", `Could not ${what}.`, "Check what you typed and try again.");
  }
  return serviceFailure(what, { status: error.status ?? 0 });
}

/** The embedded server says how long too many attempts are paused. */
function whenToTryAgain({ code, message }: Refusal): string | undefined {
  return code === "over_request_rate_limit" ? /\bTry again in \d+ \w+\./.exec(message)?.[0] : undefined;
}

/** Older auth servers send no code. */
function wordsByMessage(message: string): Words | undefined {
  if (/invalid login credentials/i.test(message)) return words.invalid_credentials;
  if (/already (been )?registered|already exists/i.test(message)) return words.user_already_exists;
  if (/password should be|password .*(short|at least)/i.test(message)) return words.weak_password;
  return undefined;
}
