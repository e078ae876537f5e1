import type { Host } from "../../src/engine/host.ts";
import { failure } from "../../supabase/functions/_shared/failure.ts";
import { respondFailure } from "../../supabase/functions/_shared/respond.ts";
import type { TargetPolicy } from "../../supabase/functions/_shared/target-policy.ts";
import { proxyModelCall } from "../../supabase/functions/llm-proxy/proxy-model-call.ts";
import type { CredentialBook } from "./credentials-file.ts";

/**
 * `Host.fetch` without a server: the same checks, address and key as the studio's `llm-proxy`, in this process. A model
 * server on this machine is fine, since a credential names it.
 */
export function createModelFetch(credentials: CredentialBook, policy: TargetPolicy): Host["fetch"] {
  return async (connection, input, init) => {
    const held = credentials.get(connection.credential);
    if (!held) {
      const missing = `The credential "${connection.credential}" is not in the credentials file.`;
      const hint = "Add it under this id, and name the file with --credentials.";
      return respondFailure(failure("invalid_credentials", missing, hint).error);
    }
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const answered = await proxyModelCall(
      {
        method: request.method,
        path: pathname,
        query: search,
        headers: request.headers,
        body: hasBody ? new Uint8Array(await request.arrayBuffer()) : null,
      },
      { name: connection.credential, ...held },
      { policy, allowLoopback: true, signal: request.signal },
    );
    request.signal.throwIfAborted();
    return answered.ok ? answered.value : respondFailure(answered.error);
  };
}
