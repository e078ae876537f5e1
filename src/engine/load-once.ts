/**
 * Loads a module at the first call and keeps it: some runtimes resolve a dynamic import anew each time, which costs more
 * than all else that a model call adds. A load that failed is tried again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
