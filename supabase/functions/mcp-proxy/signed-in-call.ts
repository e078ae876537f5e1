import type { Caller } from "../_shared/authenticate.ts";
import type { CredentialRow } from "../_shared/credential-store.ts";
import type { Credential } from "../_shared/credential-types.ts";
import type { FunctionContext } from "../_shared/endpoint.ts";
import type { Outcome } from "../_shared/failure.ts";
import { currentCredential } from "../_shared/oauth/current-grant.ts";
import { proxyMcpCall, type McpCall, type McpCallDependencies } from "./proxy-mcp-call.ts";
import { askForScope } from "./scope-challenge.ts";

/** A credential of the caller, its secret open. */
export interface HeldRow {
  row: CredentialRow;
  credential: Credential;
}

/**
 * Sends a call with a token that is still good. A server that refuses it with 401 although it should be good is asked once
 * more with a new one: it may have been withdrawn.
 */
export async function proxySignedInCall(
  call: McpCall,
  held: HeldRow | null,
  caller: Caller,
  context: FunctionContext,
  dependencies: McpCallDependencies,
): Promise<Outcome<Response>> {
  if (held === null) return proxyMcpCall(call, null, dependencies);
  const { row } = held;
  const { signal } = dependencies;
  const send = (credential: Credential) => {
    const scopeMissing =
      credential.type === "mcp-oauth"
        ? (scope: string) => askForScope({ row, credential }, scope, caller, context)
        : undefined;
    return proxyMcpCall(call, { credential, allowedHosts: row.allowed_hosts }, { ...dependencies, scopeMissing });
  };
  const current = await currentCredential(row, held.credential, caller, context, { signal });
  if (!current.ok) return current;
  const answered = await send(current.value);
  const isRefused = answered.ok && answered.value.status === 401;
  if (!isRefused || current.value.type !== "mcp-oauth" || current.value !== held.credential) return answered;
  await answered.value.body?.cancel();
  const renewed = await currentCredential(row, current.value, caller, context, { refused: true, signal });
  return renewed.ok ? send(renewed.value) : renewed;
}
