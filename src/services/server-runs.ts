import type { Json } from "../engine/json.ts";
import type { ForkPoint, RunEvent } from "../engine/run/events.ts";
import type { StoredRunStatus } from "./run-history.ts";

/** What a run on the server is started with. */
export interface ServerRunStart {
  workflowId: string;
  /** `live`, `staging`, or a version's number. */
  target: string;
  input: Json;
  /** The same key never starts a second run. */
  key: string;
  /** The run that this one continues; from its failed step where no call is named. */
  forkedFrom?: ForkPoint;
}

/** What is queued and under way of the account, and how many workers there are. */
export interface QueueState {
  workers: number;
  queued: number;
  running: number;
  waiting: number;
}

/** Reads the events of one run as they are stored. */
export interface RunReader {
  /** Those stored since the last call, in order, pictures whole; the first call gives all so far. */
  read(): Promise<RunEvent[]>;
}

/** Runs of published workflows on workers. */
export interface ServerRuns {
  /** Rejects with `not-found` where nothing is published. */
  start(run: ServerRunStart): Promise<{ id: string; status: StoredRunStatus }>;
  /** Asks for the end of a run; gives its status. */
  cancel(runId: string): Promise<StoredRunStatus>;
  queue(): Promise<QueueState>;
  reader(runId: string): Promise<RunReader>;
  /**
   * Calls `onChange` as soon as something new of the run is stored. Resolves when the server tells no more, at once where it
   * cannot tell; never rejects.
   */
  watch(runId: string, onChange: () => void, signal: AbortSignal): Promise<void>;
}
