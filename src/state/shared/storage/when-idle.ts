/** The longest that work waits for a page that is never idle, in milliseconds. */
const longestWaitMs = 2_000;

/** Does something once the page has nothing better to do; at once where there is no page. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: longestWaitMs });
  else setTimeout(work, 0);
}
