import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { checkTarget, type TargetPolicy } from "../_shared/target-policy.ts";
import type { SignInPlace } from "./discover.ts";

const hint = "Tell the server's operator, or use a token with a credential of type MCP server.";

/**
 * Checks where a server of anyone's sends the person and their tokens, before either goes there: to addresses that may be
 * called, over https unless the MCP server itself needs none, and to one authorization server, not to two.
 */
export function checkPlace(place: SignInPlace, serverUrl: string, policy: TargetPolicy): Outcome<null> {
  const { authorization_endpoint: page, token_endpoint: token, registration_endpoint: registration } = place.metadata;
  const mayBePlain = new URL(serverUrl).protocol === "http:";
  for (const endpoint of registration === undefined ? [page, token] : [page, token, registration]) {
    const target = checkTarget(endpoint, policy);
    if (!target.ok) return target;
    const { url, trust } = target.value;
    if (url.protocol === "https:" || (mayBePlain && trust !== "public")) continue;
    return failure("blocked_address", "The sign-in of this MCP server is not encrypted.", hint);
  }
  return isOneServer(place) ? success(null) : mixedUp();
}

/**
 * Whether the page that gives the code and the endpoint that takes it belong together. A dishonest server may describe itself
 * with the page of an honest one, to be handed what the person was given there (RFC 9700 §4.4, mix-up). What the description
 * says of itself counts only where it was found (RFC 8414 §3.3).
 */
function isOneServer({ issuer, metadata, isNamed }: SignInPlace): boolean {
  // One that a resource names has to call itself so; older servers, which name none, were not asked for that.
  if (isNamed && !isSameAddress(issuer, metadata.issuer)) return false;
  const page = new URL(metadata.authorization_endpoint).origin;
  if (page === new URL(issuer).origin) return true;
  if (!isSameAddress(issuer, metadata.issuer)) return false;
  return page === new URL(metadata.token_endpoint).origin || namesIssuer(metadata);
}

/** Whether an authorization server says in each answer who it is (RFC 9207), so that one of another is told. */
export function namesIssuer(metadata: SignInPlace["metadata"]): boolean {
  return Reflect.get(metadata, "authorization_response_iss_parameter_supported") === true;
}

function isSameAddress(one: string, other: string): boolean {
  const plain = (text: string): string => (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, "");
  return plain(one) === plain(other);
}

function mixedUp(): { ok: false; error: Failure } {
  const message = "The sign-in of this MCP server is made of parts of different servers, so it was not begun.";
  return failure("blocked_address", message, hint);
}
