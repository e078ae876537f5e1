import { createStore, type StoreApi } from "zustand/vanilla";
import type { Host } from "../engine/host.ts";
import type { PauseDecision, PauseRequest } from "../engine/run/breakpoints.ts";

export interface PendingPause extends PauseRequest {
  runId: string;
}

export interface PauseState {
  /** What is held and waits for a person, oldest first. */
  pending: readonly PendingPause[];
  /** Lets a held place go on; unknown ids are ignored. */
  decide(pauseId: string, decision: PauseDecision): void;
}

/** Where a run that is held waits for a person. `pauserFor` gives the function that a run's host asks. */
export interface PauseStore extends StoreApi<PauseState> {
  pauserFor(runId: string): NonNullable<Host["pause"]>;
}

/** What is held and not yet decided. A place whose run is stopped leaves the list and rejects with the signal's reason. */
export function createPauseStore(): PauseStore {
  const resolvers = new Map<string, (decision: PauseDecision) => void>();

  const remove = (pauseId: string) => {
    resolvers.delete(pauseId);
    store.setState((state) => ({ pending: state.pending.filter((other) => other.pauseId !== pauseId) }));
  };

  const store = createStore<PauseState>()(() => ({
    pending: [],
    decide: (pauseId, decision) => {
      const resolve = resolvers.get(pauseId);
      remove(pauseId);
      resolve?.(decision);
    },
  }));

  const pauserFor =
    (runId: string): NonNullable<Host["pause"]> =>
    (request, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const leave = () => {
          remove(request.pauseId);
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        resolvers.set(request.pauseId, (decision) => {
          signal.removeEventListener("abort", leave);
          resolve(decision);
        });
        store.setState((state) => ({ pending: [...state.pending, { ...request, runId }] }));
      });

  return Object.assign(store, { pauserFor });
}
