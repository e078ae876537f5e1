import { z } from "zod/mini";
import { webAddress } from "./credential-values.ts";

/** Text of RFC 6749 appendix A, which headers and forms can carry; tokens that list what a person may do are long. */
const visible = (max: number) =>
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(max),
      z.regex(/^[\x20-\x7e]*$/, "Only letters that a header can carry are allowed."),
    );

/**
 * What signing in to an MCP server brought: tokens, and all that a new access token is asked for with. Only functions ever
 * hold one.
 */
export const oauthGrant = z.strictObject({
  accessToken: visible(16_384),
  refreshToken: z.optional(visible(16_384)),
  /** Milliseconds since 1970; absent when the server did not say. */
  expiresAt: z.optional(z.int().check(z.positive())),
  /** The authorization server, by its issuer address. */
  issuer: webAddress(),
  tokenEndpoint: webAddress(),
  /** How the token endpoint lets clients prove themselves (RFC 8414 `token_endpoint_auth_methods_supported`). */
  tokenAuthMethods: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(50))),
  clientId: visible(4_096),
  clientSecret: z.optional(visible(4_096)),
  /** The resource that the tokens are for (RFC 8707). */
  resource: z.optional(z.string().check(z.maxLength(2_048))),
  /** The scopes that were asked for; absent when none were. */
  scope: z.optional(visible(8_192)),
});

/** A parsed grant. */
export type OAuthGrant = z.infer<typeof oauthGrant>;
