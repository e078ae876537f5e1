import { z } from "zod/mini";
import type { GrantPlace, Tokens } from "./grant-of-tokens.ts";
import type { OAuthFetch } from "./oauth-fetch.ts";

const answer = z.object({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.optional(z.coerce.number()),
});

const refusal = z.object({ error: z.string().check(z.maxLength(200)) });

/** An error that the token endpoint named (RFC 6749 §5.2). */
class TokenError extends Error {
  readonly errorCode: string;
  constructor(errorCode: string) {
    super("The token endpoint refused the client.");
    this.errorCode = errorCode;
  }
}

/**
 * Asks for a token for the application itself (RFC 6749 §4.4). A refresh token would be of no use: the client asks again.
 * Rejects as the OAuth client library does, with an error that has an `errorCode` where the server named one.
 */
export async function clientTokens(place: GrantPlace, parameters: string, fetchFn: OAuthFetch): Promise<Tokens> {
  const { tokenEndpoint, tokenAuthMethods, clientId, clientSecret, scope } = place;
  const form = new URLSearchParams(parameters);
  form.set("grant_type", "client_credentials");
  if (scope !== undefined) form.set("scope", scope);
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  };
  if (tokenAuthMethods?.[0] === "client_secret_basic") {
    const proof = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret ?? "")}`;
    headers.authorization = `Basic ${btoa(proof)}`;
  } else {
    form.set("client_id", clientId);
    if (clientSecret !== undefined) form.set("client_secret", clientSecret);
  }
  const response = await fetchFn(tokenEndpoint, { method: "POST", headers, body: form.toString() });
  const body: unknown = await response.json();
  const refused = response.ok ? undefined : refusal.safeParse(body).data;
  if (refused !== undefined) throw new TokenError(refused.error);
  return answer.parse(body);
}
