const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once when the signal aborts (at once if it has), until the returned function is called. However many
 * watch one signal, it gets a single listener: Node warns of a leak from the eleventh on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const known = watchers.get(signal);
  const callbacks = known ?? new Set();
  if (!known) {
    watchers.set(signal, callbacks);
    signal.addEventListener(
      "abort",
      () => {
        watchers.delete(signal);
        for (const each of callbacks) each();
      },
      { once: true },
    );
  }
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
}
