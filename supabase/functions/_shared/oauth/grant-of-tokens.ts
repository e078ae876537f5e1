import { z } from "zod/mini";
import { oauthGrant, type OAuthGrant } from "../../../../src/engine/credentials/oauth-grant.ts";
import { failure, success, type Outcome } from "../failure.ts";

/** The part of RFC 6749 §5.1 that is kept. `expires_in` is in seconds. */
export interface Tokens {
  access_token: string;
  token_type: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

/** Everything of a grant but the tokens. */
export type GrantPlace = Omit<OAuthGrant, "accessToken" | "refreshToken" | "expiresAt">;

const grantPlace = z.omit(oauthGrant, { accessToken: true, refreshToken: true, expiresAt: true });

/** No token is believed to last longer, in seconds: ten years. */
const longest = 10 * 365 * 24 * 60 * 60;

/**
 * A grant with the tokens that came now. Fails with `invalid_credentials` for tokens that cannot be stored or sent: what is
 * stored must be readable again, or the credential would be lost.
 */
export function grantOfTokens(tokens: Tokens, rest: GrantPlace): Outcome<OAuthGrant> {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  // RFC 6749 §7.1: a token of a type that one does not know is not used. Slack calls a bearer token of an app "bot".
  if (!["bearer", "bot"].includes(tokens.token_type.toLowerCase()))
    return unusable("a token of a type that is not supported");
  const grant = oauthGrant.safeParse({
    ...rest,
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined || !(seconds > 0)
      ? {}
      : { expiresAt: Date.now() + Math.round(Math.min(seconds, longest) * 1000) }),
  });
  return grant.success ? success(grant.data) : unusable("a token that no request can carry");
}

/** What is known before the tokens come. Fails with `invalid_credentials` where it could not be stored. */
export function checkGrantPlace(place: GrantPlace): Outcome<GrantPlace> {
  const parsed = grantPlace.safeParse(place);
  return parsed.success ? success(parsed.data) : unusable("addresses or a client that cannot be used");
}

function unusable(what: string): Outcome<never> {
  const hint = "Tell the server's operator, or use a credential with a token instead.";
  return failure("invalid_credentials", `The sign-in server answered with ${what}.`, hint);
}
