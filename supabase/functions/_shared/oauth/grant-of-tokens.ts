import type { OAuthGrant } from "../../../../src/engine/credentials/oauth-grant.ts";

/** The part of RFC 6749 §5.1 that is kept. `expires_in` is in seconds. */
export type Tokens = {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
};

/** A grant with the tokens that came now. */
export function grantOfTokens(
  tokens: Tokens,
  rest: Omit<OAuthGrant, "accessToken" | "refreshToken" | "expiresAt">,
): OAuthGrant {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  return {
    ...rest,
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined || seconds <= 0 ? {} : { expiresAt: Date.now() + Math.round(seconds * 1000) }),
  };
}
