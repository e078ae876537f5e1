import { targetPolicy, type CallContext } from "../_shared/endpoint.ts";
import type { Caller } from "../_shared/authenticate.ts";
import { credentialTypes } from "../_shared/credential-types.ts";
import { failure, success, type Failure, type Outcome } from "../_shared/failure.ts";
import { readBody } from "../_shared/read-body.ts";
import { streamEndpoint } from "../_shared/stream-endpoint.ts";
import { proxyModelCall } from "./proxy-model-call.ts";
import { credentialHeader } from "../../../src/engine/studio-headers.ts";

const maxRequestBytes = 32 * 1024 * 1024;

/**
 * `GET|POST /functions/v1/llm-proxy/<vendor path>`: a model call with a stored key, such as `/llm-proxy/chat/completions`,
 * `/llm-proxy/v1/messages` or `/llm-proxy/v1beta/models/<model>:streamGenerateContent`.
 *
 * Request: the header `x-switchyard-credential: <id>`; body and query pass through; keys of the client are dropped. The
 * address comes from the provider's table or the credential, never from the request. Response: the vendor's status, body as
 * it arrives, harmless headers, and the credential's name, percent-encoded, in `x-switchyard-credential-name`. Errors of this function, told apart from the vendor's by `x-switchyard-error: 1`: 400
 * `invalid_config` or `invalid_credentials`, 401, 403 `blocked_address`, 405, 429 with `Retry-After`, 500, 502 `network`,
 * `bad_certificate` or `redirect_refused`, 504 `timeout`.
 */
export const llmProxyEndpoint = streamEndpoint({
  methods: ["GET", "POST"],
  rateLimit: { bucket: "llm-proxy", perMinute: 240, concurrent: 20, slotSeconds: 900 },
  forward,
});

async function forward(request: Request, caller: Caller, context: CallContext): Promise<Outcome<Response>> {
  const url = new URL(request.url);
  const path = /^(?:\/functions\/v1)?\/llm-proxy(\/.*)$/.exec(url.pathname)?.[1];
  if (path === undefined) {
    return failure("invalid_config", "The request names no path of a model API.", "Add it, such as /chat/completions.");
  }
  const id = request.headers.get(credentialHeader);
  if (id === null) {
    return failure("invalid_credentials", "The request names no credential.", "Choose a credential on the model node.");
  }
  const row = await context.credentials.find(caller, id);
  if (!row.ok) return row;
  if (credentialTypes[row.value.type].use !== "model") {
    const message = `A credential of type ${row.value.type} cannot be used for a model.`;
    return failure("invalid_credentials", message, "Choose a credential of a model provider.");
  }
  const credential = await context.credentials.open(row.value);
  if (!credential.ok) return named(row.value.name, credential.error);
  const body = request.method === "GET" ? null : await readBody(request, maxRequestBytes, context.share);
  if (body !== null && !body.ok) return success(body.refusal);
  const answered = await proxyModelCall(
    { method: request.method, path, query: url.search, headers: request.headers, body: body?.value ?? null },
    { name: row.value.name, credential: credential.value, allowedHosts: row.value.allowed_hosts },
    {
      policy: targetPolicy(context.environment),
      allowLoopback: context.environment.isLocal,
      signal: request.signal,
      resolve: context.resolve,
      // A model has no memory of the question: it may be asked twice.
      connections: context.connections.of(caller.userId, id),
    },
  );
  if (!answered.ok) return named(row.value.name, answered.error);
  if (answered.value.ok) context.keepAdmission();
  return answered;
}

/** Says which credential a failure is about. */
function named(name: string, error: Failure): { ok: false; error: Failure } {
  return { ok: false, error: { ...error, message: `Credential "${name}": ${error.message}` } };
}
