const storageKey = "switchyard:own-runs";
const mostKept = 200;

/** Remembers that this browser started a run, so that it may call the run interrupted once no tab executes it. */
export function rememberOwnRun(runId: string): void {
  write([...ownRuns(), runId].slice(-mostKept));
}

/** Called when a run's end is stored. */
export function forgetOwnRun(runId: string): void {
  write(ownRuns().filter((id) => id !== runId));
}

/** Runs that this browser started and did not see stored to their end. */
export function ownRuns(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function write(runIds: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(runIds));
  } catch {
    // Without storage a dead run is called interrupted after a day.
  }
}
