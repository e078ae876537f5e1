import type { InstanceKeys } from "./keys.ts";
import { createPasswordSignIn } from "./password-sign-in.ts";
import { createServiceCalls } from "./service-calls.ts";
import { createSignInLimit } from "./sign-in-limit.ts";
import { createSignUp, type SignUpMode } from "./sign-up.ts";
import type { SupabaseApi } from "./supabase-api.ts";

/** The two doors through which somebody becomes a user; `address` is where the request came from. */
export interface Accounts {
  signIn(request: Request, address: string): Promise<Response>;
  signUp(request: Request, address: string): Promise<Response>;
}

export function createAccounts(options: {
  api: SupabaseApi;
  keys: InstanceKeys;
  signUp: SignUpMode;
  shared: boolean;
}): Accounts {
  const { api, keys, signUp: mode, shared } = options;
  const callAsService = createServiceCalls(api, keys);
  return {
    signIn: createPasswordSignIn({ limit: createSignInLimit(), api, callAsService, keys }),
    signUp: createSignUp({ mode, limited: shared, api, callAsService, keys }),
  };
}
