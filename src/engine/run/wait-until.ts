import type { Host, WaitRequest } from "../host.ts";

/** Timers of JavaScript hold at most about 24 days. */
const longestSleepMs = 24 * 3_600_000;

/** Resolves at the time of the request: by the host where it can put the run aside, else by sleeping. Rejects when aborted. */
export async function waitUntil(host: Host, request: WaitRequest, signal: AbortSignal): Promise<void> {
  if (host.wait) return host.wait(request, signal);
  for (;;) {
    const left = request.until - host.now();
    if (left <= 0) return;
    await host.sleep(Math.min(left, longestSleepMs), signal);
  }
}
