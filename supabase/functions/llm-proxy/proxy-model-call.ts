import { vendors } from "../../../src/engine/vendors/index.ts";
import { isLocalServer } from "../../../src/engine/vendors/local-servers.ts";
import { mayCarrySecret } from "../_shared/attach-http-credential.ts";
import type { OwnConnections } from "../_shared/connection-pool.ts";
import { secretValues } from "../_shared/credential-secrets.ts";
import { isModelCredential, type Credential } from "../_shared/credential-types.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { guardedStream } from "../_shared/guarded-fetch.ts";
import { vendorRequest } from "../_shared/model-vendors.ts";
import { forwardedHeaders, passedHeaders } from "../_shared/passed-headers.ts";
import { createRedactor } from "../_shared/redact.ts";
import type { ResolveHost } from "../_shared/resolve-host.ts";
import type { TargetPolicy } from "../_shared/target-policy.ts";
import { credentialNameHeader, localOnlyHeader } from "../../../src/engine/studio-headers.ts";

interface ModelCall {
  method: string;
  /** Path below the vendor's base URL, starting with `/`. */
  path: string;
  query: string;
  headers: Headers;
  body: Uint8Array | null;
}

/** A credential with the user's name for it. */
interface NamedCredential {
  name: string;
  credential: Credential;
  allowedHosts: readonly string[];
}

interface ModelCallDependencies {
  policy: TargetPolicy;
  /** Whether a credential may lead to a model server on this machine. */
  allowLoopback: boolean;
  signal?: AbortSignal | undefined;
  resolve?: ResolveHost | undefined;
  /** Those of the caller and the credential. */
  connections?: OwnConnections | undefined;
}

/** What a model API is told of the client's request; keys and cookies are not among it. */
const requestHeaderNames = [
  "accept",
  "content-type",
  "http-referer",
  "idempotency-key",
  "x-title",
  ...Object.values(vendors).flatMap(({ requestHeaders }) => requestHeaders),
];

/** What the client is told of the vendor's answer. */
const responseHeaderNames = [
  /^(content-type|retry-after|retry-after-ms|request-id|x-request-id|x-should-retry|x-ratelimit-.*)$/,
  ...Object.values(vendors).flatMap(({ responseHeaders }) => responseHeaders),
];

/**
 * Sends a model call to the vendor of a credential and answers with the vendor's status, its harmless headers, the
 * credential's name in `x-switchyard-credential-name`, and the body as it arrives, the key taken out. Fails before anything is sent with `invalid_config` (a path that is no model API),
 * `invalid_credentials` or `blocked_address`; and with `network`, `timeout`, `bad_certificate` or `redirect_refused`.
 */
export async function proxyModelCall(
  call: ModelCall,
  { name, credential, allowedHosts }: NamedCredential,
  dependencies: ModelCallDependencies,
): Promise<Outcome<Response>> {
  if (!isModelCredential(credential)) {
    const message = `A credential of type ${credential.type} cannot be used for a model.`;
    return failure("invalid_credentials", message, "Choose a credential of a model provider.");
  }
  const vendor = vendorRequest(credential, call.path, call.query, call.method);
  if (!vendor.ok) return vendor;
  if (call.headers.has(localOnlyHeader) && !isLocalServer(new URL(vendor.value.url).host)) {
    const message = "It leads to no Ollama or LM Studio on this computer, so what it makes may cost something.";
    return failure("invalid_credentials", message, "Choose OpenAI-compatible for a server elsewhere.");
  }
  const { policy, allowLoopback, signal, resolve, connections } = dependencies;
  const answered = await guardedStream(
    {
      url: vendor.value.url,
      method: call.method,
      headers: forwardedHeaders(call.headers, requestHeaderNames),
      body: call.body,
    },
    {
      ...policy,
      allowLoopback,
      followRedirects: false,
      signal,
      resolve,
      connections,
      async attach(target) {
        const carried = mayCarrySecret(allowedHosts, target);
        return carried.ok ? success({ headers: vendor.value.headers }) : carried;
      },
    },
  );
  if (!answered.ok) return answered;
  const { status, headers, body } = answered.value;
  if (status >= 300 && status < 400) {
    await body.cancel();
    const hint = "Set the final address as the credential's base URL.";
    return failure("redirect_refused", "The model server redirected to another address, which was not followed.", hint);
  }
  const redactor = createRedactor(secretValues(credential));
  const isEmpty = status === 204 || status === 205;
  if (isEmpty) void body.cancel();
  const response = new Response(isEmpty ? null : body.pipeThrough(redactor.stream()), {
    status,
    headers: {
      ...redactor.headers(passedHeaders(headers, responseHeaderNames)),
      "cache-control": "no-store",
      [credentialNameHeader]: encodeURIComponent(name.replace(/\p{Surrogate}/gu, "\uFFFD")),
    },
  });
  return success(response);
}
