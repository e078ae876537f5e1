import { isJsonObject } from "../../engine/json.ts";

/** What Google's error details say about a quota (google.rpc.RetryInfo, google.rpc.QuotaFailure). */
interface GoogleQuota {
  retryAfterMs?: number;
  /** The quota is that of a day, or there is none at all for this model: a short wait changes nothing. */
  spent?: true;
}

/** Reads `error.details`. `message` tells of a quota of zero, which the details leave out. */
export function googleQuota(details: unknown, message: string): GoogleQuota {
  const list: unknown[] = Array.isArray(details) ? details : [];
  const quota: GoogleQuota = {};
  for (const detail of list) {
    if (!isJsonObject(detail)) continue;
    // Such as "17.5s".
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay ?? ""))?.[1];
    if (seconds !== undefined) quota.retryAfterMs ??= Math.round(Number(seconds) * 1000);
    const violations = Array.isArray(detail.violations) ? detail.violations : [];
    if (violations.some((each) => isJsonObject(each) && /PerDay/i.test(String(each.quotaId)))) quota.spent = true;
  }
  if (/quota exceeded.*limit: 0\b/is.test(message)) quota.spent = true;
  return quota;
}
