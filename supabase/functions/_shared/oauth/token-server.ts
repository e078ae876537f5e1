import type { GrantPlace } from "./grant-of-tokens.ts";

/** What the MCP client library must know of an authorization server, and as whom, to ask it for tokens. */
export function tokenServer({ issuer, tokenEndpoint, tokenAuthMethods, clientId, clientSecret, resource }: GrantPlace) {
  return {
    metadata: {
      issuer,
      authorization_endpoint: tokenEndpoint,
      token_endpoint: tokenEndpoint,
      response_types_supported: ["code"],
      token_endpoint_auth_methods_supported: tokenAuthMethods,
    },
    clientInformation: { client_id: clientId, client_secret: clientSecret },
    resource,
  };
}
