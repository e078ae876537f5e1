import type { Host } from "../../src/engine/host.ts";
import { failure } from "../../supabase/functions/_shared/failure.ts";
import { respondFailure } from "../../supabase/functions/_shared/respond.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { proxyMcpCall } from "../../supabase/functions/mcp-proxy/proxy-mcp-call.ts";
import type { CredentialBook } from "./credentials-file.ts";

/**
 * `Host.mcpFetch` without a server: the same checks, address and secrets as the studio's `mcp-proxy`, in this process. A
 * server on this machine needs a credential that names it, or `--allow-host`.
 */
export function createMcpFetch(credentials: CredentialBook, policy: TargetPolicy): Host["mcpFetch"] {
  return async (connection, init) => {
    const held = connection.credential === "" ? null : (credentials.get(connection.credential) ?? missing);
    if (held === missing) {
      const message = `The credential "${connection.credential}" is not in the credentials file.`;
      const hint = "Add it under this id, and name the file with --credentials.";
      return respondFailure(failure("invalid_credentials", message, hint).error);
    }
    const request = new Request("https://mcp.invalid", init);
    const answered = await proxyMcpCall(
      {
        method: request.method,
        url: connection.url,
        headers: request.headers,
        body: request.method === "POST" ? new Uint8Array(await request.arrayBuffer()) : null,
      },
      held,
      { policy, allowLoopback: true, signal: request.signal },
    );
    request.signal.throwIfAborted();
    return answered.ok ? answered.value : respondFailure(answered.error);
  };
}

const missing = Symbol("missing");
