import { createStore, type StoreApi } from "zustand/vanilla";

interface UnstoredRuns {
  ids: ReadonlySet<string>;
}

const store = createStore<UnstoredRuns>()(() => ({ ids: new Set() }));

/** The runs of this tab that are not stored to their end: those that go on, and those whose last events are being saved. */
export const unstoredRuns: Pick<StoreApi<UnstoredRuns>, "getState" | "getInitialState" | "subscribe"> = store;

function change(alter: (ids: Set<string>) => void): void {
  const ids = new Set(store.getState().ids);
  alter(ids);
  store.setState({ ids });
}

/** Lists a run until it is stored, or storing it was given up. */
export function listUntilStored(runId: string, done: Promise<void>): void {
  change((ids) => ids.add(runId));
  void done.finally(() => change((ids) => ids.delete(runId)));
}
