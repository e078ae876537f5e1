import { createStore, type StoreApi } from "zustand/vanilla";
import type { Json } from "../engine/json.ts";
import type { RunEvent } from "../engine/run/events.ts";
import { loadOnce } from "../engine/load-once.ts";
import { emptyRunState, type RunState } from "../engine/run/run-state.ts";
import { nextFrame, type FrameScheduler } from "./next-frame.ts";

/** Whether the database has what happened so far. */
export type SaveState =
  | { status: "saving" }
  | { status: "saved" }
  | { status: "retrying"; message: string }
  /** Stored to its end, but for so many entries that the database refused. */
  | { status: "incomplete"; missing: number }
  | { status: "lost"; message: string };

export interface RunStoreState {
  runs: Readonly<Record<string, RunState>>;
  /** Runs started in this tab, oldest first. Any other run in `runs` was opened from the history. */
  started: readonly string[];
  /** The run that canvas and panels show. */
  currentRunId: string | null;
  /** The moment (milliseconds since 1970) at which a recorded run is looked at; null while the present counts. */
  heldAt: number | null;
  saving: Readonly<Record<string, SaveState>>;
  /** Adds a run that is about to start with this input, and shows it. */
  begin(runId: string, input: Json): void;
  /** Takes events of any runs in order; readers see them with the next frame. */
  apply(events: readonly RunEvent[]): void;
  /** Shows what `apply` still holds back. */
  flush(): void;
  /** Takes back a run that could not start. */
  withdraw(runId: string): void;
  /** Adds a stored run, as `reduceStoredRun` gives it, with the events that led to it, and shows it. */
  open(run: RunState, events: readonly RunEvent[]): void;
  show(runId: string | null): void;
  /** Shows an opened run as it was at a moment, or, at null, as it is. */
  lookAt(run: RunState, at: number | null): void;
  setSaving(runId: string, state: SaveState): void;
}

/** The runs of one editor. `events` returns what a run has emitted so far; it is a log, not a part of the state. */
export interface RunStore extends StoreApi<RunStoreState> {
  events(runId: string): readonly RunEvent[];
}

/** The run that canvas and panels show. */
export function currentRun(state: RunStoreState): RunState | undefined {
  return state.currentRunId === null ? undefined : state.runs[state.currentRunId];
}

/** The run of this tab that is still going on. */
export function liveRunId(state: RunStoreState): string | undefined {
  return state.started.findLast((runId) => state.runs[runId]?.status === "running");
}

/** True while a run from the history is shown instead of this tab's own. */
export function viewingHistory(state: RunStoreState): boolean {
  return state.currentRunId !== null && !state.started.includes(state.currentRunId);
}

type Reducer = typeof import("../engine/run/reduce-run.ts").reduceRunAll;

let reduce: Reducer | undefined;

/** Loads what makes a run's state of its events; until then a store only collects them. */
export const loadRunReducer = loadOnce(async () => {
  reduce = (await import("../engine/run/reduce-run.ts")).reduceRunAll;
});

/** Text arrives faster than a screen can show it: events wait for the next frame and then change the state once. */
export function createRunStore(schedule: FrameScheduler = nextFrame): RunStore {
  const logs = new Map<string, RunEvent[]>();
  let waiting = new Map<string, RunEvent[]>();

  const store = createStore<RunStoreState>()((set, get) => ({
    runs: {},
    started: [],
    currentRunId: null,
    heldAt: null,
    saving: {},
    begin: (runId, input) =>
      set((state) => ({
        runs: { ...state.runs, [runId]: { ...emptyRunState(runId), input } },
        started: [...state.started, runId],
        currentRunId: runId,
        heldAt: null,
      })),
    apply: (events) => {
      if (events.length === 0) return;
      if (waiting.size === 0) schedule(() => get().flush());
      for (const event of events) {
        addTo(waiting, event);
        addTo(logs, event);
      }
    },
    flush: () => {
      if (waiting.size === 0) return;
      if (reduce === undefined) {
        void loadRunReducer().then(
          () => get().flush(),
          // Those who run and replay have it before their first event.
          () => {},
        );
        return;
      }
      const events = waiting;
      waiting = new Map();
      const reduceRunAll = reduce;
      set((state) => ({ runs: reduceRuns(state.runs, events, reduceRunAll) }));
    },
    withdraw: (runId) =>
      set(({ runs, started, currentRunId }) => {
        const { [runId]: gone, ...rest } = runs;
        if (gone === undefined) return {};
        return {
          runs: rest,
          started: started.filter((id) => id !== runId),
          currentRunId: currentRunId === runId ? null : currentRunId,
        };
      }),
    open: (run, events) => {
      logs.set(run.runId, [...events]);
      set((state) => ({ runs: { ...state.runs, [run.runId]: run }, currentRunId: run.runId, heldAt: null }));
    },
    show: (runId) => set({ currentRunId: runId, heldAt: null }),
    lookAt: (run, heldAt) => set((state) => ({ runs: { ...state.runs, [run.runId]: run }, heldAt })),
    setSaving: (runId, saving) => set((state) => ({ saving: { ...state.saving, [runId]: saving } })),
  }));

  return Object.assign(store, { events: (runId: string) => logs.get(runId) ?? [] });
}

function addTo(groups: Map<string, RunEvent[]>, event: RunEvent): void {
  const group = groups.get(event.runId);
  if (group) group.push(event);
  else groups.set(event.runId, [event]);
}

function reduceRuns(
  runs: RunStoreState["runs"],
  events: ReadonlyMap<string, readonly RunEvent[]>,
  reduceRunAll: Reducer,
): RunStoreState["runs"] {
  const next = { ...runs };
  for (const [runId, own] of events) next[runId] = reduceRunAll(next[runId] ?? emptyRunState(runId), own);
  return next;
}
