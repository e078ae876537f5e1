import { z } from "zod/mini";
import { oauthGrant } from "../../../src/engine/credentials/oauth-grant.ts";
import { openSecret, sealSecret } from "../_shared/credential-seal.ts";
import type { OAuthCredential } from "../_shared/credential-types.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import type { FunctionEnvironment } from "../_shared/function-environment.ts";

/** A sign-in may take this long, in milliseconds. */
const lastsMs = 15 * 60_000;

const pendingSchema = z.strictObject({
  state: z.string(),
  codeVerifier: z.string(),
  redirectUrl: z.string(),
  /** Everything of the grant that is known before the tokens come. */
  grant: z.omit(oauthGrant, { accessToken: true, refreshToken: true, expiresAt: true }),
  /** The credential as it was, by `fingerprint`: a sign-in that is done, or an address that changed, ends those begun before. */
  signedInWith: z.string(),
  /** Whether the authorization server names itself in its answer (RFC 9207). */
  namesIssuer: z.boolean(),
  endsAt: z.number(),
});

/** What the second step of a sign-in needs to know of the first. */
export type PendingSignIn = Omit<z.infer<typeof pendingSchema>, "endsAt">;

/** The sealed form that the browser keeps while the person is away. */
export const sealedSchema = z.strictObject({
  iv: z.string().check(z.maxLength(200)),
  ciphertext: z.string().check(z.maxLength(32_768)),
  keyVersion: z.int(),
});

/** A pending sign-in that only this function can read. */
export type SealedSignIn = z.infer<typeof sealedSchema>;

interface Binding {
  owner: string;
  credentialId: string;
}

const bound = (binding: Binding) => ({ ...binding, type: "mcp-oauth/pending", allowedHosts: [] });

/** Encrypts what the second step needs, for this user and this credential only. */
export function sealPending(
  environment: FunctionEnvironment,
  binding: Binding,
  pending: PendingSignIn,
): Promise<Outcome<SealedSignIn>> {
  return sealSecret(environment, bound(binding), JSON.stringify({ ...pending, endsAt: Date.now() + lastsMs }));
}

/** Fails with `invalid_credentials` when it is another user's or credential's, was changed, or is too old. */
export async function openPending(
  environment: FunctionEnvironment,
  binding: Binding,
  sealed: SealedSignIn,
): Promise<Outcome<PendingSignIn>> {
  const opened = await openSecret(environment, bound(binding), sealed);
  if (!opened.ok) return stale();
  const parsed = pendingSchema.safeParse(JSON.parse(opened.value));
  if (!parsed.success || parsed.data.endsAt < Date.now()) return stale();
  const { endsAt: _ends, ...pending } = parsed.data;
  return success(pending);
}

/** Tells whether the fields of a credential have changed, without being them. */
export async function fingerprint(fields: OAuthCredential["fields"]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(fields));
  return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))).join(".");
}

function stale(): Outcome<never> {
  return failure("invalid_credentials", "This sign-in was not begun here, or took too long.", "Sign in again.");
}
