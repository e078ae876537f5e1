import { createStore, type StoreApi } from "zustand/vanilla";
import { isJsonObject, type Json } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { firstChars } from "../../engine/well-formed.ts";
import { reduceRunAll } from "../../engine/run/reduce-run.ts";
import { emptyRunState, type RunState } from "../../engine/run/run-state.ts";
import type { FrameScheduler } from "./next-frame.ts";
import { pacedFrames } from "./paced-frames.ts";
import { rememberedAt } from "./remembered-at.ts";
import { weightOf } from "./weight-of.ts";

/** Whether everything so far is stored in the database. */
export type SaveState =
  | { status: "saving" }
  | { status: "saved" }
  | { status: "retrying"; message: string }
  /** Stored completely, except for this many events that the database refused. */
  | { status: "incomplete"; missing: number }
  | { status: "lost"; message: string };

/**
 * What the tab keeps of a run that it has released to the database: the text of its input and output, shortened and
 * without pictures.
 */
interface PastRun {
  input: Json;
  output: Json;
  /** When its turn was saved to a memory; null if it was not. */
  rememberedAt: number | null;
}

function briefly(run: RunState): PastRun {
  return { input: brief(run.input), output: brief(run.output), rememberedAt: rememberedAt(run) };
}

export interface RunStoreState {
  /** The runs that the tab holds: those not stored yet, the one on display, and the last few others. */
  runs: Readonly<Record<string, RunState>>;
  /** Runs started in this tab, oldest first. Any other run in `runs` was opened from the history. */
  started: readonly string[];
  /** The started runs that are no longer in `runs`; the database has them. */
  past: Readonly<Record<string, PastRun>>;
  /** How many started runs have ended so far. */
  ended: number;
  /** The run that canvas and panels show. */
  currentRunId: string | null;
  /** The moment of a run that is on display instead of its present, in milliseconds since 1970, and the run as it was then. */
  heldAt: number | null;
  heldRun: RunState | null;
  saving: Readonly<Record<string, SaveState>>;
  /** Adds a run that is about to start with this input, and shows it. */
  begin(runId: string, input: Json): void;
  /** Takes events of any runs in order; readers see them with the next frame. */
  apply(events: readonly RunEvent[]): void;
  /** Shows at once what `apply` has queued. */
  flush(): void;
  /** Removes a run that could not start. */
  withdraw(runId: string): void;
  /** Adds a stored run, as `reduceStoredRun` gives it, with the events that led to it, and shows it. */
  open(run: RunState, events: readonly RunEvent[]): void;
  show(runId: string | null): void;
  /** Shows the current run as it was at a moment; of another run nothing is shown. With null, this is how the run is, and that is shown. */
  lookAt(run: RunState, at: number | null): void;
  setSaving(runId: string, state: SaveState): void;
}

/** The runs of one editor. `events` returns what a run has emitted so far; it is a log, not a part of the state. */
export interface RunStore extends StoreApi<RunStoreState> {
  events(runId: string): readonly RunEvent[];
}

/** A run is shown as it is. */
const present = { heldAt: null, heldRun: null };

/** The run that canvas and panels show. */
export function currentRun(state: RunStoreState): RunState | undefined {
  return state.heldRun ?? (state.currentRunId === null ? undefined : state.runs[state.currentRunId]);
}

/** The run of this tab that is still going on. */
export function liveRunId(state: RunStoreState): string | undefined {
  return state.started.findLast((runId) => state.runs[runId]?.status === "running");
}

/** True while a run from the history is shown instead of this tab's own. */
export function viewingHistory(state: RunStoreState): boolean {
  return state.currentRunId !== null && !state.started.includes(state.currentRunId);
}

/** How many stored runs the tab holds besides the one on display, however long they are. */
export const mostHeld = 5;
/** Short runs are held for longer, as many as a conversation shows at once: the most runs, and the most characters. */
export const [mostShort, mostCharacters] = [30, 2_000_000];
/** How many characters of each text are kept of a released run. */
const briefText = 2_000;

/**
 * Text arrives faster than the screen can show it, so events wait for the next frame and then change the state once.
 */
export function createRunStore(schedule: FrameScheduler = pacedFrames()): RunStore {
  const logs = new Map<string, RunEvent[]>();
  const weights = new Map<string, number>();
  let waiting = new Map<string, RunEvent[]>();

  /** Characters of a run that has ended. */
  const weigh = (runId: string): number => {
    const weight = weights.get(runId) ?? weightOf(logs.get(runId) ?? [], mostCharacters + 1);
    weights.set(runId, weight);
    return weight;
  };

  /** Releases runs that are stored and not on display. */
  const release = (state: RunStoreState): Partial<RunStoreState> => {
    const left = releasable(state, weigh);
    if (left.length === 0) return {};
    const [runs, saving, past] = [{ ...state.runs }, { ...state.saving }, { ...state.past }];
    for (const runId of left) {
      const run = runs[runId];
      if (run && state.started.includes(runId)) past[runId] = briefly(run);
      delete runs[runId];
      delete saving[runId];
      logs.delete(runId);
      weights.delete(runId);
    }
    return { runs, saving, past };
  };

  const releasing = (state: RunStoreState): RunStoreState => ({ ...state, ...release(state) });

  const store = createStore<RunStoreState>()((set, get) => ({
    runs: {},
    started: [],
    past: {},
    ended: 0,
    currentRunId: null,
    ...present,
    saving: {},
    begin: (runId, input) =>
      set((state) =>
        releasing({
          ...state,
          runs: { ...state.runs, [runId]: { ...emptyRunState(runId), input } },
          started: [...state.started, runId],
          currentRunId: runId,
          ...present,
        }),
      ),
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
      const events = waiting;
      waiting = new Map();
      set((state) => {
        const runs = reduceRuns(state.runs, events);
        const isEnd = (id: string) => state.runs[id]?.status === "running" && runs[id]?.status !== "running";
        const ended = [...events.keys()].filter((id) => isEnd(id) && state.started.includes(id)).length;
        return { runs, ended: state.ended + ended };
      });
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
      set((state) => {
        const runs = usedLast({ ...state.runs, [run.runId]: run }, run.runId);
        return releasing({ ...state, runs, currentRunId: run.runId, ...present });
      });
    },
    show: (runId) =>
      set((state) => {
        const runs = usedLast(state.runs, runId);
        return releasing({ ...state, runs, currentRunId: runId, ...present });
      }),
    lookAt: (run, heldAt) =>
      set(({ runs, currentRunId }) => {
        const isShown = run.runId === currentRunId;
        if (heldAt === null) return { runs: { ...runs, [run.runId]: run }, ...(isShown ? present : {}) };
        return isShown ? { heldAt, heldRun: run } : {};
      }),
    setSaving: (runId, saving) => set((state) => releasing({ ...state, saving: { ...state.saving, [runId]: saving } })),
  }));

  return Object.assign(store, { events: (runId: string) => logs.get(runId) ?? [] });
}

/** The same runs with one of them moved to the end; the first are released first. */
function usedLast(runs: RunStoreState["runs"], runId: string | null): RunStoreState["runs"] {
  const { [runId ?? ""]: run, ...others } = runs;
  return run === undefined ? runs : { ...others, [run.runId]: run };
}

/** The runs to release: stored completely and not on display, except for the latest; the oldest first. */
function releasable(
  { runs, started, saving, currentRunId }: RunStoreState,
  weigh: (runId: string) => number,
): string[] {
  const own = new Set(started);
  const others = Object.keys(runs).filter((runId) => {
    if (runId === currentRunId || runs[runId]?.status === "running") return false;
    return !own.has(runId) || saving[runId]?.status === "saved";
  });
  if (others.length <= mostHeld) return [];
  let weight = 0;
  const kept = others.toReversed().findIndex((runId, index) => {
    weight += weigh(runId);
    return index >= mostHeld && (index >= mostShort || weight > mostCharacters);
  });
  return kept === -1 ? [] : others.slice(0, others.length - kept);
}

function brief(value: Json | undefined): Json {
  if (typeof value === "string") return firstChars(value, briefText);
  if (!isJsonObject(value)) return null;
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.map(([name, text]) => [name, firstChars(text, briefText)]));
}

function addTo(groups: Map<string, RunEvent[]>, event: RunEvent): void {
  const group = groups.get(event.runId);
  if (group) group.push(event);
  else groups.set(event.runId, [event]);
}

function reduceRuns(
  runs: RunStoreState["runs"],
  events: ReadonlyMap<string, readonly RunEvent[]>,
): RunStoreState["runs"] {
  const next = { ...runs };
  for (const [runId, own] of events) next[runId] = reduceRunAll(next[runId] ?? emptyRunState(runId), own);
  return next;
}
