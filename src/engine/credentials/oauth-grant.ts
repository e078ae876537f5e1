import { z } from "zod";
import { webAddress } from "./credential-values.ts";

/** Text of RFC 6749 appendix A, which headers and forms can carry; tokens that list what a person may do are long. */
const visible = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x20-\x7e]*$/, "Only letters that a header can carry are allowed.");

/**
 * What signing in to an MCP server brought: tokens, and all that a new access token is asked for with. Only functions ever
 * hold one.
 */
export const oauthGrant = z.strictObject({
  accessToken: visible(16_384),
  refreshToken: visible(16_384).optional(),
  /** Milliseconds since 1970; absent when the server did not say. */
  expiresAt: z.number().int().positive().optional(),
  /** The authorization server, by its issuer address. */
  issuer: webAddress(),
  tokenEndpoint: webAddress(),
  /** How the token endpoint lets clients prove themselves (RFC 8414 `token_endpoint_auth_methods_supported`). */
  tokenAuthMethods: z.array(z.string().max(100)).max(50).optional(),
  clientId: visible(4_096),
  clientSecret: visible(4_096).optional(),
  /** The resource that the tokens are for (RFC 8707). */
  resource: z.string().max(2_048).optional(),
  /** The scopes that were asked for; absent when none were. */
  scope: visible(8_192).optional(),
});

/** A parsed grant. */
export type OAuthGrant = z.infer<typeof oauthGrant>;
