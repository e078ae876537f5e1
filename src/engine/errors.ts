import type { Json } from "./json.ts";

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
  /** How long the server asked to wait (Retry-After), in milliseconds. */
  retryAfterMs?: number;
  /** What a model wrote that its vendor could not read as a tool call; the model may do better when it sees that. */
  unreadableCall?: string;
  /** The raw reason (vendor's body, driver's code), redacted. */
  cause?: Json;
}

/**
 * How often to retry work that failed with a `retryable` error, and how many milliseconds to wait before the first
 * retry. The wait doubles with each further one.
 */
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

/** The error of work that was stopped by the user, by the end of its reader, or by another node's failure. */
export function cancelledError(message = "The run was stopped."): RunErrorData {
  return { code: "cancelled", message, hint: "Run the workflow again to start over.", retryable: false };
}

/**
 * Converts what a node's `run` threw into data: a RunError as it is, anything after the abort as `cancelled`, and the
 * rest as an internal error that names the node.
 */
export function errorData(error: unknown, node: { id: string; title: string }, signal: AbortSignal): RunErrorData {
  if (error instanceof RunError) {
    return error.data.nodeId === undefined ? { ...error.data, nodeId: node.id } : error.data;
  }
  if (signal.aborted) return { ...cancelledError(), nodeId: node.id };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    message: `"${node.title}" failed: ${reason}`,
    hint: "This should not happen. Check the node's settings; if they are right, report it with the run's log.",
    retryable: false,
    nodeId: node.id,
  };
}

/** A failure in one line: what happened, and what to do. Messages of others, such as of code, may end without a full stop. */
export function errorText({ message, hint }: { message: string; hint: string }): string {
  if (hint === "") return message;
  const ended = /[.!?…:]["'”’)\]]*\s*$/u.test(message);
  return `${message.trimEnd()}${ended ? "" : "."} ${hint}`;
}
