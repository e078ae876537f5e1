import type { Json } from "../engine/json.ts";
import type { RunSource } from "./run-history.ts";

/** How many runs took how long: key n counts those from 2^(n/4) to 2^((n+1)/4) milliseconds. */
export type DurationCounts = Readonly<Record<string, number>>;

/** What happened in one hour or day. Runs count when they end. */
export interface ActivityBucket {
  /** Its beginning, milliseconds since 1970. */
  at: number;
  /** Failed and cancelled ones among them. */
  runs: number;
  failed: number;
  cancelled: number;
  /** US dollars. */
  costUsd: number;
  /** Runs whose cost is not known. */
  unpriced: number;
  visitors: number;
  /** Without cancelled runs. */
  durations: DurationCounts;
  /** Answers that visitors liked, and that they did not. */
  up: number;
  down: number;
}

/** How a publication has been doing. */
export interface Activity {
  /** Of the workflow. */
  name: string;
  slug: string;
  live: number | null;
  /** In order, without those in which nothing happened. */
  buckets: readonly ActivityBucket[];
  /** Failed runs by the code of their error, the most frequent first. */
  errors: readonly { code: string; runs: number }[];
  /** The fifty tools that were called most. */
  tools: readonly { name: string; calls: number; failed: number }[];
  /** Different visitors in all. */
  visitors: number;
}

/** What is to be counted: since when, by which unit, in whose time zone (an IANA name). */
export interface ActivityRange {
  /** ISO 8601. */
  from: string;
  bucket: "hour" | "day";
  timeZone: string;
}

/** A run on a worker that failed. */
export interface FailedRun {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  endedAt: string | null;
  source: RunSource;
  version: number | null;
  error: { code: string; message: string } | null;
  input: Json;
}

/** What a visitor thought of an answer. */
export interface Feedback {
  runId: string;
  /** ISO 8601. */
  at: string;
  rating: "up" | "down";
  /** Empty without one. */
  comment: string;
  /** What the run was given. */
  input: Json;
}

/** A publication in the list of all. */
export interface PublicationActivity {
  workflowId: string;
  name: string;
  slug: string;
  live: number | null;
  runs: number;
  failed: number;
}

/** Where the traces of a publication's runs go. */
export interface TraceCollector {
  url: string;
  /** The headers that are stored; their values never come back. */
  headerNames: readonly string[];
  /** Whether what was said is sent, too. */
  content: boolean;
  /** ISO 8601; null when nothing was sent yet. */
  sentAt: string | null;
  /** Why the last runs were not sent, in words. */
  problem: string | null;
  /** Runs whose traces wait. */
  waiting: number;
}

/** A collector as it is saved. Without headers those stored for the same address stay. */
export interface TraceCollectorDraft {
  url: string;
  headers?: Readonly<Record<string, string>>;
  content: boolean;
}

/** What the studio could not do for the account by itself, and tries again. */
export interface ChoreProblem {
  /** Its name in the database, such as `retention`. */
  chore: string;
  /** Why, in words. */
  problem: string;
  /** When it failed first, ISO 8601. */
  since: string;
}

export interface ActivityService {
  /** What could not be done for the account lately; usually nothing. */
  problems(): Promise<ChoreProblem[]>;
  /** All publications of the account by name, with their runs since a moment (ISO 8601). */
  overview(from: string): Promise<PublicationActivity[]>;
  /** Rejects with `not-found` where nothing was ever published. */
  of(workflowId: string, range: ActivityRange): Promise<Activity>;
  /** The latest first, at most 100; those before a moment (ISO 8601) where one is given. */
  failedRuns(workflowId: string, limit: number, before?: string): Promise<FailedRun[]>;
  /** The same for what visitors thought. */
  feedback(workflowId: string, limit: number, before?: string): Promise<Feedback[]>;
  /** Null where traces are not sent. */
  collector(workflowId: string): Promise<TraceCollector | null>;
  /** Null ends it. Rejects with `not-found` where nothing was ever published. */
  saveCollector(workflowId: string, collector: TraceCollectorDraft | null): Promise<void>;
}
