import { createAccountChanges } from "./account-changes.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { SendMail } from "./mailer.ts";
import { createPasswordReset, type PasswordReset } from "./password-reset.ts";
import { createPasswordSignIn } from "./password-sign-in.ts";
import { createServiceCalls } from "../functions/service-calls.ts";
import { createSignInLimit } from "./sign-in-limit.ts";
import { createSignUp, type SignUpMode } from "./sign-up.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

/** The doors through which somebody becomes a user, and what changes how; `address` is where the request came from. */
export interface Accounts extends PasswordReset {
  signIn(request: Request, address: string): Promise<Response>;
  signUp(request: Request, address: string): Promise<Response>;
  change(request: Request, address: string): Promise<Response>;
}

export function createAccounts(options: {
  api: SupabaseApi;
  keys: InstanceKeys;
  signUp: SignUpMode;
  shared: boolean;
  sendMail: SendMail | null;
  /** Where links in mails lead; by default to where they were asked for. */
  site?: string | undefined;
  log: (line: string) => void;
}): Accounts {
  const { api, keys, signUp: mode, shared, sendMail, site, log } = options;
  const callAsService = createServiceCalls(api, keys);
  const limit = createSignInLimit();
  const signIn = createPasswordSignIn({ limit, api, callAsService, keys });
  const siteOf = (request: Request) => site ?? new URL(request.url).origin;
  return {
    signIn,
    signUp: createSignUp({ mode, limited: shared, api, callAsService, keys }),
    change: createAccountChanges({ api, callAsService, signIn, limit }),
    ...createPasswordReset({ keys, callAsService, sendMail, siteOf, log }),
  };
}
