import type { Caller } from "../_shared/authenticate.ts";
import type { OAuthCredential } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { checkGrantPlace } from "../_shared/oauth/grant-of-tokens.ts";
import { oauthPolicy } from "../_shared/oauth/oauth-fetch.ts";
import { oauthFailure } from "../_shared/oauth/oauth-failure.ts";
import { enteredPlace } from "../_shared/oauth/oauth-place.ts";
import { checkTarget, type TargetPolicy } from "../_shared/target-policy.ts";
import { fingerprint, sealPending } from "./pending-sign-in.ts";
import type { StartedSignIn } from "./start-sign-in.ts";

type Entered = Extract<OAuthCredential, { type: "oauth2" }>;

/** What the studio sets itself on the page where a person agrees. */
const ownParameters: ReadonlySet<string> = new Set([
  "client_id",
  "client_secret",
  "code_challenge",
  "code_challenge_method",
  "redirect_uri",
  "response_mode",
  "response_type",
  "scope",
  "state",
]);

/** Says where a person goes to sign in to a service whose addresses they entered. */
export async function startEntered(
  credential: Entered,
  { id, redirectUrl }: { id: string; redirectUrl: string },
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<StartedSignIn>> {
  const { authorizationUrl, tokenUrl, clientId, clientSecret, scope, parameters } = credential.fields;
  const policy = oauthPolicy(context.environment, tokenUrl);
  for (const address of [authorizationUrl, tokenUrl]) {
    const safe = checkAddress(address, policy);
    if (!safe.ok) return safe;
  }
  const place = checkGrantPlace(enteredPlace(credential));
  if (!place.ok) return place;
  const { startAuthorization } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const state = crypto.randomUUID();
  try {
    const begun = await startAuthorization(place.value.issuer, {
      metadata: {
        issuer: place.value.issuer,
        authorization_endpoint: authorizationUrl,
        token_endpoint: tokenUrl,
        response_types_supported: ["code"],
      },
      clientInformation: { client_id: clientId, client_secret: clientSecret },
      redirectUrl,
      state,
      ...(scope === undefined ? {} : { scope }),
    });
    for (const [name, value] of new URLSearchParams(parameters)) {
      if (!ownParameters.has(name)) begun.authorizationUrl.searchParams.set(name, value);
    }
    const sealed = await sealPending(
      context.environment,
      { owner: caller.userId, credentialId: id },
      {
        state,
        codeVerifier: begun.codeVerifier,
        redirectUrl,
        namesIssuer: false,
        signedInWith: await fingerprint(credential.fields),
        grant: place.value,
      },
    );
    if (!sealed.ok) return sealed;
    return success({ authorizationUrl: begun.authorizationUrl.href, state, pending: sealed.value });
  } catch (error) {
    return oauthFailure(error, "the request to sign in");
  }
}

/** Addresses that may be called, over https but on a host that the operator or a local installation vouches for. */
function checkAddress(address: string, policy: TargetPolicy): Outcome<null> {
  const target = checkTarget(address, policy);
  if (!target.ok) return target;
  if (target.value.url.protocol === "https:" || target.value.trust !== "public") return success(null);
  return failure(
    "blocked_address",
    "This service's sign-in is not encrypted.",
    "Enter addresses that begin with https://.",
  );
}
