import type { Caller } from "../_shared/authenticate.ts";
import { targetPolicy, type CallContext, type FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { readBody } from "../_shared/read-body.ts";
import { streamEndpoint } from "../_shared/stream-endpoint.ts";
import { fitsMcp } from "./proxy-mcp-call.ts";
import { proxySignedInCall, type HeldRow } from "./signed-in-call.ts";
import { credentialHeader, mcpServerHeader } from "../../../src/engine/studio-headers.ts";

const maxRequestBytes = 4 * 1024 * 1024;

/**
 * `POST|GET|DELETE /functions/v1/mcp-proxy`: one request of the Model Context Protocol over Streamable HTTP.
 *
 * Request: the header `x-switchyard-credential: <id>` (type `mcp`, whose address counts, or an HTTP type), the header
 * `x-switchyard-url: <address>`, or both; the body and the protocol's headers pass through, keys of the client are dropped.
 * Response: the server's status, body as it arrives (JSON or events) and the protocol's headers. Errors of this function,
 * told apart from the server's by `x-switchyard-error: 1`: 400 `invalid_config`, `invalid_url` or `invalid_credentials`, 401,
 * 403 `blocked_address`, 405, 429 with `Retry-After`, 500, 502 `network`, `bad_certificate` or `redirect_refused`, 504
 * `timeout`.
 */
export const mcpProxyEndpoint = streamEndpoint({
  methods: ["POST", "GET", "DELETE"],
  rateLimit: { bucket: "mcp-proxy", perMinute: 480, concurrent: 20, slotSeconds: 900 },
  forward,
});

async function forward(request: Request, caller: Caller, context: CallContext): Promise<Outcome<Response>> {
  const held = await openCredential(request.headers.get(credentialHeader), caller, context);
  if (!held.ok) return held;
  const body = request.method === "POST" ? await readBody(request, maxRequestBytes, context.share) : null;
  if (body !== null && !body.ok) return success(body.refusal);
  const call = {
    method: request.method,
    url: request.headers.get(mcpServerHeader) ?? "",
    headers: request.headers,
    body: body?.value ?? null,
  };
  const dependencies = {
    policy: targetPolicy(context.environment),
    allowLoopback: context.environment.isLocal,
    signal: request.signal,
    resolve: context.resolve,
  };
  const answered = await proxySignedInCall(call, held.value, caller, context, dependencies);
  if (answered.ok && answered.value.ok && held.value?.row.type !== "mcp-oauth") context.keepAdmission();
  return answered;
}

async function openCredential(
  id: string | null,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<HeldRow | null>> {
  if (id === null) return success(null);
  const row = await context.credentials.find(caller, id);
  if (!row.ok) return row;
  if (!fitsMcp(row.value.type)) {
    const message = `A credential of type ${row.value.type} cannot be used for an MCP server.`;
    return failure("invalid_credentials", message, "Choose one of type MCP server or of the HTTP types.");
  }
  const credential = await context.credentials.open(row.value);
  if (!credential.ok) return credential;
  return success({ row: row.value, credential: credential.value });
}
