import type { AgentEnding } from "../engine/agent/ending.ts";
import type { Json } from "../engine/json.ts";
import type { RunErrorData } from "../engine/errors.ts";
import type { ForkPoint } from "../engine/run/events.ts";
import type { RunStatus } from "../engine/run/run-state.ts";

/** How a stored run stands: one on the server may wait for a worker, or for a person or a time. */
export type StoredRunStatus = RunStatus | "queued" | "waiting";

/** Who starts runs: `editor` runs in a browser, every other one on a worker. */
export const runSources = ["editor", "manual", "schedule", "api", "webhook", "chat", "mcp", "failure"] as const;
export type RunSource = (typeof runSources)[number];

/** What a run on a worker has besides. */
export interface ServerRunFacts {
  /** The number of the published version that it runs. */
  version: number;
  /** How often a worker took it up; 0 while none has. */
  attempt: number;
  /** The worker that has it, or had it last. */
  worker: string | null;
  cancelRequested: boolean;
}

/** One stored run as a list shows it. */
export interface RunSummary {
  id: string;
  workflowId: string;
  status: StoredRunStatus;
  source: RunSource;
  /** A test made it. */
  isTrial: boolean;
  /** Null for runs of a browser. */
  server: ServerRunFacts | null;
  /** In a list only the beginning of a large one, as text, and `[picture]` for each picture. */
  input: Json;
  /** Null in a list. */
  output: Json;
  error: RunErrorData | null;
  /** Why an agent of the flow stopped early, where the run completed nevertheless. */
  ending: StoredEnding | null;
  totalTokens: number | null;
  costUsd: number | null;
  startedAt: string;
  endedAt: string | null;
  /** The run that this one was forked off or replays. */
  forkedFrom: ForkPoint | null;
}

/** A run that has ended, as its conversation shows it. */
export interface ConversationRun {
  id: string;
  status: "completed" | "failed" | "cancelled" | "interrupted";
  startedAt: string;
  /** What was asked; null where that is no text. */
  question: string | null;
  /** Null for one that is very large. */
  output: Json;
  error: RunErrorData | null;
  /** Whether a memory was given its turn. */
  isRemembered: boolean;
}

/** The latest run of a workflow, wherever it ran, or of a schedule. */
export type LastRun = Pick<RunSummary, "id" | "status" | "ending" | "startedAt">;

/** What a run's row keeps of an early stop. */
export type StoredEnding = Pick<AgentEnding, "finish" | "message">;

/** A run in the list over all workflows. */
export interface ListedRun extends RunSummary {
  workflowName: string;
}

/** Which runs are wanted; everything absent matches all. Times are ISO 8601. */
export interface RunFilter {
  workflowId?: string;
  statuses?: readonly StoredRunStatus[];
  sources?: readonly RunSource[];
  /** Only runs that tests made, or only others. */
  trials?: boolean;
  /** Stands somewhere in the input, in any case of letters. */
  text?: string;
  /** Started at this time or later. */
  from?: string;
  /** Started before this time. */
  to?: string;
}

/** The last run of a page; the next page begins after it. */
export interface RunCursor {
  startedAt: string;
  id: string;
}

export interface RunPage {
  /** Newest first. */
  runs: ListedRun[];
  /** Null at the end. */
  next: RunCursor | null;
}

/** What one model used and cost in a run. Tokens; US dollars, null when a price is not known. */
export interface ModelSpending {
  provider: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

/** How long runs are kept: days since they started, and how many; null for no limit. */
export interface Retention {
  keepDays: number | null;
  keepRuns: number | null;
}

/** What applies to those who have not chosen. */
export const defaultRetention: Retention = { keepDays: 90, keepRuns: 2_000 };

/** A range of stored runs: ISO 8601 times, the end not included; days are those of the time zone (IANA name). */
export interface SpendingRange {
  from: string;
  to: string;
  timeZone: string;
  /** So many workflows and models have a row each, the dearest; 200 at most. */
  most: number;
}

/** What something took: US dollars (a lower bound where calls have no price), tokens, calls, runs. */
export interface CostSum {
  /** A day (`YYYY-MM-DD`), the id of a workflow, or the name of a model; null for all that have no row of their own. */
  key: string | null;
  name: string;
  /** Of a model; otherwise empty. */
  provider: string;
  /** How many workflows or models this row stands for; 1 where it has a key. */
  merged: number;
  costUsd: number;
  /** Model calls whose cost is not known. */
  unpricedCalls: number;
  inputTokens: number;
  outputTokens: number;
  calls: number;
  /** Zero for models. */
  runs: number;
}

/** What runs took, added up along each axis; every axis with its last row adds up to the total. */
export interface RunCosts {
  total: CostSum;
  /** In order; days without a run are left out. */
  days: CostSum[];
  /** The dearest first. */
  workflows: CostSum[];
  models: CostSum[];
}
