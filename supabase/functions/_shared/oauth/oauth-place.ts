import type { OAuthCredential } from "../credential-types.ts";
import type { GrantPlace } from "./grant-of-tokens.ts";

/**
 * The server by which is told what else the OAuth client may call: only one on this machine leads to others on this machine.
 * Of an MCP server it is the server itself; else what the person entered as the token endpoint.
 */
export function oauthServerOf(credential: OAuthCredential): string {
  return credential.type === "mcp-oauth" ? credential.fields.url : credential.fields.tokenUrl;
}

/** What a person entered, as everything of a grant but its tokens. The page that a person agrees on says who issues it. */
export function enteredPlace(credential: Extract<OAuthCredential, { type: "oauth2" | "oauth2-client" }>): GrantPlace {
  const { tokenUrl, clientId, clientSecret, scope, clientProof } = credential.fields;
  const proof = clientProof === "header" ? "client_secret_basic" : "client_secret_post";
  return {
    issuer: new URL(credential.type === "oauth2" ? credential.fields.authorizationUrl : tokenUrl).origin,
    tokenEndpoint: tokenUrl,
    tokenAuthMethods: [clientSecret === undefined ? "none" : proof],
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(scope === undefined ? {} : { scope }),
  };
}
