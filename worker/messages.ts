import type { LiveNews } from "../src/doors/live-news.ts";
import type { WorkFigures } from "./metrics/work-figures.ts";
import type { Parameter, WorkerStatement } from "./statements.ts";

/** How many runs a worker has at once, unless it is told otherwise. Most of them wait for a model. */
export const usualConcurrency = 64;

/** What the studio tells its worker: first `start`, later the answers to what it asks. */
export type StudioMessage =
  | { kind: "start"; worker: string; url: string; publishableKey: string; concurrency: number }
  | { kind: "rows"; id: number; rows: Record<string, unknown>[] }
  | { kind: "refused"; id: number; message: string; code: string }
  | { kind: "no-answer"; id: number; message: string }
  | { kind: "token"; id: number; token: string }
  /** There may be something to do. */
  | { kind: "wake" }
  | { kind: "stop" };

/** What a worker of the studio asks and tells. */
export type WorkerMessage =
  | { kind: "ready" }
  | { kind: "ask"; id: number; statement: WorkerStatement; parameters: readonly Parameter[] }
  /** A token with which it acts for the owner of one of its runs. */
  | { kind: "token"; id: number; owner: string }
  /** What a run says, before it is stored, and that something was stored. */
  | { kind: "live"; run: string; news: LiveNews }
  /** The worker has nothing to do with the run any more. */
  | { kind: "left"; run: string }
  /** What it has done since it told last. */
  | { kind: "worked"; work: WorkFigures }
  | { kind: "log"; line: string };
