import { createStore } from "zustand/vanilla";

/** Runs of this tab whose question was asked again in other words; the conversation goes on without them. */
export const supersededRuns = createStore<{ runIds: ReadonlySet<string> }>()(() => ({ runIds: new Set() }));

export function supersede(runIds: readonly string[]): void {
  supersededRuns.setState((state) => ({ runIds: new Set([...state.runIds, ...runIds]) }));
}
