import { isWriting } from "./http-methods.ts";
import type { HttpRequest } from "./sent-request.ts";

/**
 * A run that is resumed may make a request again that was broken off: the key, the same both times, lets the server notice. A key
 * of one's own stays, and requests that only read need none.
 */
export function withIdempotencyKey(request: HttpRequest, key: string): HttpRequest {
  const { method, headers = {} } = request;
  const has = Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
  if (has || !isWriting(method)) return request;
  return { ...request, headers: { ...headers, "Idempotency-Key": key } };
}
