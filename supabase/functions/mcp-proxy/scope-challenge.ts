import { joinScopes, missingScopes, wantedScope, withWantedScope } from "../../../src/engine/credentials/scopes.ts";
import type { Caller } from "../_shared/authenticate.ts";
import type { CredentialRow } from "../_shared/credential-store.ts";
import type { Credential } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import { failure, type Failure, type Outcome } from "../_shared/failure.ts";

interface Refused {
  ok: false;
  error: Failure;
}

const again = "Open Credentials and choose Sign in again, then try once more.";

/**
 * The scopes that a server wants of a token which has too few (RFC 6750 §3.1 `insufficient_scope`), empty when it names none;
 * null when an answer says no such thing.
 */
export async function challengedScope(status: number, authenticate: string | undefined): Promise<string | null> {
  if (status !== 403 || authenticate === undefined) return null;
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const answer = new Response(null, { headers: { "www-authenticate": authenticate } });
  const { error, scope } = extractWWWAuthenticateParams(answer);
  return error === "insufficient_scope" ? joinScopes(scope) : null;
}

/** The failure of a call whose token has too few scopes, where nobody can sign in for more of them from here. */
export function scopeMissing(scope: string, credential: Credential | undefined): Refused {
  const hint =
    credential?.type === "mcp-oauth"
      ? again
      : "Use a token that has them, or make a credential of type MCP server with sign-in.";
  return failure("invalid_credentials", `The MCP server asks for more permissions${named(scope)}.`, hint);
}

/**
 * Keeps with a credential what its server wants, so that the next sign-in asks for it as well, and says so. What the last
 * sign-in has asked for already is not asked for again: nobody is sent to sign in for ever.
 */
export async function askForScope(
  { row, credential }: { row: CredentialRow; credential: Extract<Credential, { type: "mcp-oauth" }> },
  scope: string,
  caller: Caller,
  { credentials }: FunctionContext,
): Promise<Outcome<never>> {
  const missing = missingScopes(scope, credential.fields.grant?.scope);
  if (missing === "") {
    const message =
      scope === ""
        ? "The MCP server asks for more permissions than this sign-in has, and does not say which."
        : `The MCP server refused this call although the sign-in asked for the rights that it wants (${scope}).`;
    const hint =
      scope === ""
        ? "Enter the scopes in the credential if you know them, and sign in again."
        : "Ask whoever runs the server whether your account has these rights.";
    return failure("invalid_credentials", message, hint);
  }
  // Other calls may have been refused since this one began.
  const current = await credentials.find(caller, row.id);
  if (!current.ok) return current;
  const { name, settings } = current.value;
  if (missingScopes(missing, wantedScope(settings)) !== "") {
    const kept = await credentials.change(caller, row.id, { name, settings: withWantedScope(settings, missing) });
    if (!kept.ok) return kept;
  }
  return failure(
    "invalid_credentials",
    `The MCP server asks for more permissions${named(missing)}. Sign in again.`,
    again,
  );
}

function named(scope: string): string {
  return scope === "" ? "" : `: ${scope.replaceAll(" ", ", ")}`;
}
