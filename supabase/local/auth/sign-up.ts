import { z } from "zod/mini";
import { createAttemptCounts } from "./attempt-counts.ts";
import { authRefusal, authTooMany } from "./auth-answers.ts";
import { type Invite, readInvite } from "./invites.ts";
import type { InstanceKeys } from "../database/keys.ts";
import { networkOf } from "./sign-in-limit.ts";
import type { CallAsService } from "../functions/service-calls.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";

/** Who may create an account: anybody, who has an invite, or nobody. Guests have accounts as well. */
export type SignUpMode = "open" | "invite" | "closed";

/** New accounts of one network at once, and how long each of them counts. */
const mostAtOnce = 10;
const countedMs = 60 * 60_000;

/** RFC 5321, 4.5.3.1.3, without the brackets. */
const longestAddress = 254;

const body = z.looseObject({
  data: z.optional(z.looseObject({ invite: z.optional(z.string().check(z.maxLength(2_000))) })),
});

/**
 * Passes requests for an account on to the auth API as far as the operator allows it. Refusals are errors as the API's
 * clients read them: `signup_disabled`, `invite_required`, `invite_invalid`, `over_request_rate_limit`.
 */
export function createSignUp(options: {
  mode: SignUpMode;
  /** Whether sign-ups are counted by network; who is alone with a studio is not. */
  limited: boolean;
  keys: Pick<InstanceKeys, "jwtSecret">;
  api: SupabaseApi;
  callAsService: CallAsService;
  now?: () => number;
}): (request: Request, address: string) => Promise<Response> {
  const { mode, limited, keys, api, callAsService, now } = options;
  const counts = createAttemptCounts({ most: mostAtOnce, withinMs: countedMs, now });

  async function withInvite(request: Request, invite: Invite): Promise<Response> {
    const parameters = { p_id: invite.id, p_expires_at: invite.expiresAt.toISOString() };
    if ((await callAsService("studio_take_invite", parameters)) !== true) {
      return refusal("invite_invalid", "This invite was used already.");
    }
    let succeeded = false;
    try {
      const response = await api(request);
      succeeded = response.ok;
      return response;
    } finally {
      if (!succeeded) await callAsService("studio_return_invite", { p_id: invite.id });
    }
  }

  return async (request, address) => {
    if (mode === "closed") return refusal("signup_disabled", "This studio does not accept new accounts.");
    const { text, plain, isNoAddress } = split(await request.clone().text());
    if (isNoAddress)
      return authRefusal(400, "email_address_invalid", "Unable to validate email address: invalid format");
    const invite = text === undefined ? null : await readInvite(keys.jwtSecret, text);
    if (mode === "invite" && !invite) {
      return text === undefined
        ? refusal("invite_required", "New accounts need an invite.")
        : refusal("invite_invalid", "This invite is not valid, or has expired.");
    }
    const waitMs = limited ? counts.count(networkOf(address)) : 0;
    if (waitMs > 0) return authTooMany(waitMs, "There were too many new accounts from your network.");
    const stripped = new Request(request.url, { method: "POST", headers: request.headers, body: plain });
    return mode === "invite" && invite ? withInvite(stripped, invite) : api(stripped);
  };
}

/** The invite in a request, and the request's body without it: it is nothing to be kept with the account. */
function split(json: string): { text: string | undefined; plain: string; isNoAddress: boolean } {
  try {
    const { data: { invite, ...data } = {}, ...rest } = body.parse(JSON.parse(json));
    const { email } = rest;
    const isNoAddress = email !== undefined && !(typeof email === "string" && email.length <= longestAddress);
    return { text: invite, plain: JSON.stringify({ ...rest, data }), isNoAddress };
  } catch {
    return { text: undefined, plain: json, isNoAddress: false };
  }
}

function refusal(error_code: string, msg: string): Response {
  return authRefusal(422, error_code, msg);
}
