export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

export type HttpMethod = (typeof httpMethods)[number];

/**
 * Milliseconds that one request may take: as long as every place where the functions run waits for an answer. Supabase ends a
 * call after 150 s.
 */
export const longestRequestMs = 120_000;

/** Methods that do the same however often they are sent (RFC 9110, section 9.2.2). */
export const repeatableMethods = ["GET", "HEAD", "PUT", "DELETE"] as const satisfies readonly HttpMethod[];

/** Whether a request may be sent twice; a node that names no method sends GET. */
export function isRepeatable(method: unknown): boolean {
  return method === undefined || repeatableMethods.some((one) => one === method);
}

/** Methods that may change something at the server. */
export const writingMethods = ["POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HttpMethod[];

/** Whether a request may change something at the server. */
export function isWriting(method: HttpMethod): boolean {
  return writingMethods.some((one) => one === method);
}

/** Whether a server that answers so may answer otherwise in a moment. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Milliseconds that a server asks to wait by a number of seconds in Retry-After; at most a minute. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === "retry-after");
  const seconds = name === undefined ? Number.NaN : Number(headers[name]);
  return seconds >= 0 ? Math.min(60_000, seconds * 1_000) : undefined;
}
