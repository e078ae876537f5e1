import type { Json } from "../json.ts";

/** Every way a run can go wrong (SPEC §4). */
export const runErrorCodes = [
  "invalid_config",
  "missing_connection",
  "invalid_credentials",
  "rate_limit",
  "model_error",
  "content_filter",
  "context_length",
  "tool_error",
  "invalid_arguments",
  "memory_error",
  "expression_error",
  "timeout",
  "cancelled",
  "blocked_address",
  "budget",
  "internal",
] as const;

/** One of `runErrorCodes` (SPEC §4). */
export type RunErrorCode = (typeof runErrorCodes)[number];

/** A failure as data: what happened (`message`), what to do (`hint`), whether trying again can help. */
export interface RunErrorData {
  code: RunErrorCode;
  message: string;
  hint: string;
  retryable: boolean;
  nodeId?: string;
  /** Milliseconds that the other side asked to wait (Retry-After). */
  retryAfterMs?: number;
  /** The raw reason (vendor's body, driver's code), redacted. */
  cause?: Json;
}

/** How often work is made again whose failure is `retryable`, and milliseconds before the first time; doubled for each further one. */
export interface Repeats {
  retries: number;
  delayMs: number;
}

/** The same failure as a throwable, for code inside a node's `run`. It never leaves the engine as an exception. */
export class RunError extends Error {
  readonly data: RunErrorData;
  constructor(data: Omit<RunErrorData, "retryable"> & { retryable?: boolean }) {
    super(data.message);
    this.name = "RunError";
    this.data = { retryable: false, ...data };
  }
}
