import type { Host, ModelConnection } from "../../../engine/host.ts";
import { localEmbedding } from "../../../engine/model/free-embeddings.ts";
import { credentialHeader, localOnlyHeader } from "../../../engine/studio-headers.ts";

/** Where edge functions are and who asks. */
export interface FunctionAccess {
  /** Such as `http://127.0.0.1:4700/functions/v1`, without a slash at the end. */
  functionsUrl: string;
  /** The project's publishable key. */
  publishableKey: string;
  /** The signed-in user's access token, refreshed when it is about to expire; null when nobody is signed in. */
  accessToken(): Promise<string | null>;
  fetch?: typeof fetch;
}

/** Headers in which vendors take a key. The studio adds the key; none leaves the page. */
const keyHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie"];
const keyParameters = ["key", "api_key", "api-key"];

/**
 * `Host.fetch` for the browser: the request goes to the `llm-proxy` function under the vendor's own path and query,
 * names the credential by id, and streams back as the vendor answers. Body, method and signal pass as they are.
 */
export function createModelFetch(access: FunctionAccess): Host["fetch"] {
  const send = access.fetch ?? fetch.bind(globalThis);
  return async (connection, input, init) => {
    const request = new Request(absolute(input), init);
    const token = await access.accessToken();
    request.signal.throwIfAborted();
    const withBody = request.method !== "GET" && request.method !== "HEAD";
    return send(proxyUrl(access.functionsUrl, request.url), {
      method: request.method,
      headers: proxyHeaders(request.headers, connection, access.publishableKey, token),
      // Read from the request, a text would come back only in a later task, behind whatever the page draws.
      body: typeof init?.body === "string" ? init.body : withBody ? await request.arrayBuffer() : undefined,
      signal: request.signal,
      credentials: "omit",
    });
  };
}

function absolute(input: string | URL | Request): URL | Request {
  return typeof input === "string" ? new URL(input, "https://vendor.invalid") : input;
}

function proxyUrl(functionsUrl: string, vendorUrl: string): string {
  const { pathname, searchParams } = new URL(vendorUrl);
  for (const name of keyParameters) searchParams.delete(name);
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${functionsUrl}/llm-proxy${pathname}${query}`;
}

function proxyHeaders(vendor: Headers, connection: ModelConnection, key: string, token: string | null): Headers {
  const headers = new Headers(vendor);
  for (const name of keyHeaders) headers.delete(name);
  headers.set("apikey", key);
  headers.set(credentialHeader, connection.credential);
  if (connection.provider === localEmbedding) headers.set(localOnlyHeader, "1");
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  return headers;
}
