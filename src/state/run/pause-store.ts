import { createStore, type StoreApi } from "zustand/vanilla";
import type { Host } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";
import type { PauseDecision, PauseRequest } from "../../engine/run/breakpoints.ts";

export interface PendingPause extends PauseRequest {
  runId: string;
}

/** What a person has changed in the card of a held place, and not sent: a value to go in, or why it cannot. */
export type PauseEdit = { text: string } & ({ ok: true; input: Json } | { ok: false; problem: string });

export interface PauseState {
  /** What is held and waits for a person, oldest first. */
  pending: readonly PendingPause[];
  /** By pause id; absent where nothing is changed. */
  edits: Readonly<Record<string, PauseEdit>>;
  /** Keeps what is being typed, so that every button that goes on takes it; undefined takes it back. */
  edit(pauseId: string, edit: PauseEdit | undefined): void;
  /** Goes on with what was typed, if anything. An edit that cannot go in is given back, and the place stays held. */
  goOn(pauseId: string, action: "continue" | "step"): PauseEdit | undefined;
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
    store.getState().edit(pauseId, undefined);
    store.setState((state) => ({ pending: state.pending.filter((other) => other.pauseId !== pauseId) }));
  };

  const store = createStore<PauseState>()((set, get) => ({
    pending: [],
    edits: {},
    edit: (pauseId, edit) => {
      const { [pauseId]: _before, ...others } = get().edits;
      set({ edits: edit === undefined ? others : { ...others, [pauseId]: edit } });
    },
    goOn: (pauseId, action) => {
      const edit = get().edits[pauseId];
      if (edit?.ok !== false) get().decide(pauseId, edit === undefined ? { action } : { action, input: edit.input });
      return edit;
    },
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
