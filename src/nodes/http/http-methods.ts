export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

export type HttpMethod = (typeof httpMethods)[number];

/**
 * Milliseconds that one request may take: as long as every place where the functions run waits for an answer. Supabase ends a
 * call after 150 s.
 */
export const longestRequestMs = 120_000;

/** Methods that do the same however often they are sent (RFC 9110, section 9.2.2). */
export const repeatableMethods: readonly string[] = ["GET", "HEAD", "PUT", "DELETE"];
