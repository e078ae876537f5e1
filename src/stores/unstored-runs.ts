import { createStore, type StoreApi } from "zustand/vanilla";

const store = createStore<{ count: number }>()(() => ({ count: 0 }));

/** How many runs of this tab are not stored to their end: those that go on, and those whose last events are being saved. */
export const unstoredRuns: Pick<StoreApi<{ count: number }>, "getState" | "getInitialState" | "subscribe"> = store;

/** Counts a run until it is stored, or storing it was given up. */
export function countUntilStored(done: Promise<void>): void {
  const add = (runs: number) => store.setState(({ count }) => ({ count: count + runs }));
  add(1);
  void done.finally(() => add(-1));
}
