/**
 * How long the other side asked to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date (RFC 9110 §10.2.3). `now` is milliseconds since 1970. Undefined when nothing usable was said.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  if (!headers) return undefined;
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (Number.isFinite(exact) && exact >= 0) return Math.round(exact);
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
