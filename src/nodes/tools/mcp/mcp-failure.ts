import { RunError, type RunErrorData } from "../../../engine/errors.ts";

/** HTTP's status, or where an answer came, JSON-RPC's number. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = "status" in error ? error.status : "code" in error ? error.code : undefined;
  return typeof status === "number" ? status : undefined;
}

const isTimeout = (error: unknown) => error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT";

/**
 * Whether the server no longer knows the session; then the request was not carried out. The protocol says 404; servers made
 * after its first examples say 400 and name the session.
 */
export function isSessionGone(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message));
}

/** What a server without sessions said of a request, after it had answered others. */
export function refusedMidway(error: unknown): RunErrorData {
  const words = error instanceof Error ? error.message : String(error);
  const message = `The MCP server refused the request (status ${statusOf(error)}): ${words.slice(0, 2_000)}`;
  const hint = "It was not repeated, since it may have been carried out. Check the server, then try again.";
  return { code: "tool_error", message, hint, retryable: false };
}

/** The protocol's number for a resource that is not there, in its versions with sessions. */
const noSuchResource = -32_002;

/** Whether the client only says in which ways it could not read an answer. */
const isUnreadable = (words: string) => /"code":\s*"(?:invalid|unrecognized)_\w+"/.test(words);

/** What went wrong with an MCP server, in words. */
export function mcpFailure(error: unknown): RunErrorData {
  if (error instanceof RunError) return error.data;
  // The client wraps what stops its first question.
  if (error instanceof Error && error.cause instanceof RunError) return error.cause.data;
  const failed = (code: RunErrorData["code"], message: string, hint: string): RunErrorData => ({
    code,
    message,
    hint,
    retryable: false,
  });
  const status = statusOf(error);
  const words = error instanceof Error ? error.message : String(error);
  if (status === 401 || status === 403) {
    const hint =
      "Choose a credential with the token that the server asks for, or make one of type MCP server with sign-in.";
    return failed("invalid_credentials", `The MCP server refused access (status ${status}).`, hint);
  }
  if (isTimeout(error)) {
    return failed("timeout", "The MCP server did not answer in time.", "Raise the time limit, or try again.");
  }
  if (status === noSuchResource) {
    const hint = "It may be gone or renamed. List what the server has in the node's settings, and choose again.";
    return failed("tool_error", `The MCP server does not have it: ${words.slice(0, 2_000)}`, hint);
  }
  if (status === 404 || status === 405) {
    const hint = "Check the URL: it must be the one for Streamable HTTP, which often ends with /mcp.";
    return failed("tool_error", `There is no MCP server at this address (status ${status}).`, hint);
  }
  if (isUnreadable(words)) {
    const hint = "Check that the URL points to an MCP server, and tell whoever runs it.";
    return failed("tool_error", "The MCP server sent something that is not an MCP message.", hint);
  }
  return failed("tool_error", `The MCP server failed: ${words.slice(0, 2_000)}`, "Check the server and its URL.");
}
