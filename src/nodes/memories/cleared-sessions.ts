const clearedByRun = new WeakMap<object, Set<string>>();

/**
 * True once per run and session, so that `clearOnRun` clears at the start of a run and not again for a second agent or
 * item. `run` is any object that stands for the run; nothing outlives it.
 */
export function isFirstUse(run: object, session: string): boolean {
  const cleared = clearedByRun.get(run) ?? new Set();
  clearedByRun.set(run, cleared);
  if (cleared.has(session)) return false;
  cleared.add(session);
  return true;
}
