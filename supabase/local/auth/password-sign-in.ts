import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod/mini";
import { authTooMany } from "./auth-answers.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { CallAsService } from "../functions/service-calls.ts";
import { createSessionRenewal } from "./session-renewal.ts";
import type { SignInLimit, SignInOutcome } from "./sign-in-limit.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

const passwordSignIn = z.looseObject({ email: z.catch(z.string(), ""), password: z.string() });
const failedSignIn = z.object({ error_code: z.literal("invalid_credentials") });

/**
 * Passes requests for a session on to the auth API, which itself takes any number of wrong passwords, and answers at once
 * where there is no account: after some, an account takes none from this address for a while (429, `Retry-After` and an
 * error as the API's clients read it), and a password is compared whether or not there is an account.
 */
export function createPasswordSignIn(options: {
  limit: SignInLimit;
  api: SupabaseApi;
  callAsService: CallAsService;
  keys: Pick<InstanceKeys, "jwtSecret" | "publishableKey">;
}): (request: Request, address: string) => Promise<Response> {
  const { limit, api, callAsService, keys } = options;
  const renew = createSessionRenewal(api, callAsService);
  // Nobody knows its password; the name cannot be guessed, so that nobody takes it first.
  const decoy = `nobody-${createHmac("sha256", keys.jwtSecret).update("decoy").digest("hex").slice(0, 24)}@guest.local`;
  let made: Promise<void> | undefined;

  const exists = (email: string) => callAsService("studio_account_exists", { p_email: email });

  async function makeDecoy(origin: string): Promise<void> {
    if ((await exists(decoy)) === true) return;
    const response = await api(
      new Request(new URL("/auth/v1/signup", origin), {
        method: "POST",
        headers: { apikey: keys.publishableKey, "content-type": "application/json" },
        body: JSON.stringify({ email: decoy, password: randomBytes(32).toString("hex") }),
      }),
    );
    if (!response.ok) throw new Error(`The account that stands for missing ones cannot be made (${response.status}).`);
  }

  return async (request, address) => {
    const asked = passwordSignIn.safeParse(jsonOf(await request.clone().text()));
    // Sessions are renewed here too, without a password.
    if (!asked.success) return renew(request);
    const attempt = limit.begin(address, asked.data.email);
    if (!attempt.allowed) return authTooMany(attempt.waitMs, "There were too many wrong passwords.");
    let outcome: SignInOutcome = "unknown";
    try {
      made ??= makeDecoy(request.url).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      await made;
      const email = (await exists(asked.data.email)) === true ? asked.data.email : decoy;
      const body = JSON.stringify({ ...asked.data, email });
      const response = await api(new Request(request.url, { method: "POST", headers: request.headers, body }));
      outcome = response.ok ? "right" : await outcomeOf(response.clone());
      return response;
    } finally {
      attempt.end(outcome);
    }
  };
}

async function outcomeOf(failed: Response): Promise<SignInOutcome> {
  return failedSignIn.safeParse(jsonOf(await failed.text())).success ? "wrong" : "unknown";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
