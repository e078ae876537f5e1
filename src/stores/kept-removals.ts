import { isJsonObject } from "../engine/json.ts";

/** Runs whose deletion can still be undone, kept in this browser so that closing the tab does not undo it. */
interface Removal {
  id: string;
  /** Id of the account; only when it is signed in again can they be deleted. */
  owner: string;
  runIds: readonly string[];
}

const storageKey = "switchyard:removed-runs";

/** Of accounts that never come back the oldest go. */
const mostKept = 50;

export function keepRemoval(removal: Removal): void {
  write([...keptRemovals(), removal].slice(-mostKept));
}

/** Called when the runs are deleted, and when they are not to be. */
export function forgetRemoval(id: string): void {
  write(keptRemovals().filter((removal) => removal.id !== id));
}

/** Of all accounts. */
export function keptRemovals(): Removal[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.flatMap(readRemoval) : [];
  } catch {
    return [];
  }
}

function readRemoval(value: unknown): Removal[] {
  if (!isJsonObject(value)) return [];
  const { id, owner, runIds } = value;
  if (typeof id !== "string" || typeof owner !== "string" || !Array.isArray(runIds)) return [];
  return [{ id, owner, runIds: runIds.filter((runId) => typeof runId === "string") }];
}

function write(removals: readonly Removal[]): void {
  try {
    if (removals.length === 0) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify(removals));
  } catch {
    // Without storage a tab that is closed before has deleted nothing.
  }
}
