import { createStore, type StoreApi } from "zustand/vanilla";
import type { RunStatus } from "../../engine/run/run-state.ts";
import type { ApprovalStore } from "./approval-store.ts";
import type { BreakpointStore } from "./breakpoint-store.ts";
import type { PauseStore } from "./pause-store.ts";
import type { Execution } from "./run-control.ts";
import type { RunStore } from "./run-store.ts";

/** The runs that a page started, with what they wait for. They belong to the tab; the page only shows them. */
export interface RunSession {
  runs: RunStore;
  approvals: ApprovalStore;
  breakpoints: BreakpointStore;
  pauses: PauseStore;
}

/** A run that goes on in this tab. */
export interface LiveRun {
  /** The address of the page that started it, which shows it. */
  home: string;
  /** The workflow's name. */
  name: string;
  /** Something waits for the person: an approval, or a pause at a breakpoint. */
  waiting: boolean;
}

/** A run that ended while another page was open. */
export interface EndedRun {
  home: string;
  name: string;
  status: RunStatus;
}

interface RunSessionsState {
  live: readonly LiveRun[];
  /** Not yet told to the person. */
  ended: readonly EndedRun[];
}

interface Shown {
  session: RunSession;
  execution: Execution;
  /** Asked again whenever it is shown somewhere. */
  name: () => string;
}

interface Entry extends Shown {
  home: string;
  open: boolean;
  unwatch: () => void;
}

/** Sessions that have ended and were not looked at since; older ones are in the history. */
const mostEnded = 3;

/** By address, the one left last at the end. */
const entries = new Map<string, Entry>();

const store = createStore<RunSessionsState>()(() => ({ live: [], ended: [] }));

/** Which runs go on in this tab, and what the person has not been told of them. */
export const runSessions: Pick<StoreApi<RunSessionsState>, "getState" | "getInitialState" | "subscribe"> = store;

const isRunning = ({ execution }: Entry) => execution.store.getState().running;

function update(): void {
  const live = [...entries.values()].filter(isRunning).map(({ home, name, session }) => ({
    home,
    name: name(),
    waiting: session.approvals.getState().pending.length + session.pauses.getState().pending.length > 0,
  }));
  store.setState({ live });
}

function forget(entry: Entry): void {
  entry.unwatch();
  if (entries.get(entry.home) === entry) entries.delete(entry.home);
}

function onEnd(entry: Entry): void {
  if (entry.open) return;
  const { runs, currentRunId } = entry.session.runs.getState();
  const status = runs[currentRunId ?? ""]?.status;
  // Taken back, since the engine could not be loaded; it offers to try again.
  if (status === undefined) return;
  const { home, name } = entry;
  store.setState(({ ended }) => ({ ended: [...ended, { home, name: name(), status }] }));
  const unseen = [...entries.values()].filter((other) => !other.open && !isRunning(other));
  for (const old of unseen.slice(0, Math.max(0, unseen.length - mostEnded))) forget(old);
}

function watch(entry: Entry): () => void {
  const { execution, session } = entry;
  const stops = [
    execution.store.subscribe((state, before) => {
      if (state.running === before.running) return;
      if (!state.running) onEnd(entry);
      update();
    }),
    session.approvals.subscribe(update),
    session.pauses.subscribe(update),
  ];
  return () => stops.forEach((stop) => stop());
}

/** The session of a page that was left while it ran, as it is now; undefined where there is none. */
export function keptSession(home: string): RunSession | undefined {
  return entries.get(home)?.session;
}

/** What runs the workflow of a session that was left; undefined for a session that no page has shown yet. */
export function keptExecution(runs: RunStore): Execution | undefined {
  return [...entries.values()].find(({ session }) => session.runs === runs)?.execution;
}

/** Says that a page shows a session. Returns what the page calls when it is left: what runs goes on, the rest is let go of. */
export function showSession(home: string, shown: Shown): () => void {
  const before = entries.get(home);
  if (before !== undefined) forget(before);
  const entry: Entry = { ...shown, home, open: true, unwatch: () => {} };
  entry.unwatch = watch(entry);
  entries.set(home, entry);
  store.setState(({ ended }) => ({ ended: ended.filter((run) => run.home !== home) }));
  update();
  return () => {
    entry.open = false;
    if (!isRunning(entry)) forget(entry);
  };
}

/** Takes note that the person was told. */
export function forgetEnded(): void {
  store.setState({ ended: [] });
}

/** Stops what runs, of one page or of all, and lets go of it. */
export function stopRuns(home?: string): void {
  for (const entry of entries.values()) {
    if (home !== undefined && entry.home !== home) continue;
    entry.execution.stop();
    forget(entry);
  }
  store.setState(({ ended }) => ({ ended: home === undefined ? [] : ended.filter((run) => run.home !== home) }));
  update();
}
