import { z } from "zod";
import { secret, webAddress } from "./credential-values.ts";

/**
 * What signing in to an MCP server brought: tokens, and all that a new access token is asked for with. Only functions ever
 * hold one.
 */
export const oauthGrant = z.strictObject({
  accessToken: secret(),
  refreshToken: secret().optional(),
  /** Milliseconds since 1970; absent when the server did not say. */
  expiresAt: z.number().int().positive().optional(),
  /** The authorization server, by its issuer address. */
  issuer: webAddress(),
  tokenEndpoint: webAddress(),
  /** How the token endpoint lets clients prove themselves (RFC 8414 `token_endpoint_auth_methods_supported`). */
  tokenAuthMethods: z.array(z.string().max(100)).max(50).optional(),
  clientId: z.string().min(1).max(4_096),
  clientSecret: secret().optional(),
  /** The resource that the tokens are for (RFC 8707). */
  resource: z.string().max(2_048).optional(),
});

export type OAuthGrant = z.infer<typeof oauthGrant>;
