import { ownRuns } from "./own-runs.ts";
import { aliveRuns } from "./run-lock.ts";

const lookEveryMs = 5_000;

interface Watched {
  alive?: typeof aliveRuns;
  own?: typeof ownRuns;
}

/**
 * Calls back whenever a tab of this browser is gone that executed a run, which had not ended. Looks while the page is visible, and asks
 * the browser alone. Returns what stops it.
 */
export function watchTabs(onGone: () => void, { alive = aliveRuns, own = ownRuns }: Watched = {}): () => void {
  let seen: ReadonlySet<string> = new Set();
  const look = async () => {
    if (document.visibilityState === "hidden") return;
    const before = seen;
    const now = await alive().catch(() => null);
    if (now === null) return;
    seen = now;
    const open = new Set(own());
    if ([...before].some((id) => !now.has(id) && open.has(id))) onGone();
  };
  const onVisible = () => void look();
  const timer = setInterval(onVisible, lookEveryMs);
  document.addEventListener("visibilitychange", onVisible);
  onVisible();
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  };
}
