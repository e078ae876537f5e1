import { RunError, type RunErrorData } from "./errors.ts";

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
