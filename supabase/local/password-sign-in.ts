import { z } from "zod";
import type { SignInLimit, SignInOutcome } from "./sign-in-limit.ts";
import type { SupabaseApi } from "./supabase-api.ts";

const passwordSignIn = z.object({ email: z.string().catch(""), password: z.string() });
const failedSignIn = z.object({ error_code: z.literal("invalid_credentials") });

/**
 * Passes requests for a session on to the auth API, which itself takes any number of wrong passwords: after some, an account
 * takes none from this address for a while. Answers that with 429, `Retry-After` and an error as the API's clients read it.
 */
export async function signInWithLimit(
  request: Request,
  address: string,
  limit: SignInLimit,
  api: SupabaseApi,
): Promise<Response> {
  const asked = passwordSignIn.safeParse(jsonOf(await request.clone().text()));
  // Sessions are renewed here too, without a password.
  if (!asked.success) return api(request);
  const attempt = limit.begin(address, asked.data.email);
  if (!attempt.allowed) return tooManyTries(attempt.waitMs);
  let outcome: SignInOutcome = "unknown";
  try {
    const response = await api(request);
    outcome = response.ok ? "right" : await outcomeOf(response.clone());
    return response;
  } finally {
    attempt.end(outcome);
  }
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

function tooManyTries(waitMs: number): Response {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait =
    seconds <= 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
  const msg = `There were too many wrong passwords for this account. Try again in ${wait}.`;
  const headers = { "retry-after": String(seconds) };
  return Response.json({ code: 429, error_code: "over_request_rate_limit", msg }, { status: 429, headers });
}
