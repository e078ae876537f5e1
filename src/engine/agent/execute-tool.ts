import type { Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import { RunError } from "../run/errors.ts";
import type { Deadline } from "./deadline.ts";
import { withTimeLimit } from "./time-limit.ts";
import type { Tool, ToolCallContext, ToolResult } from "./tool.ts";

const defaultTimeoutMs = 30_000;

function thrown(error: unknown): ToolResult {
  if (error instanceof RunError) {
    const { message, hint, code } = error.data;
    return { ok: false, error: { message, hint, code } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, error: { message: `The tool failed: ${message}`, code: "tool_error" } };
}

function timedOut(limitMs: number): ToolResult {
  const message = `The tool did not answer within ${limitMs / 1000} s.`;
  return { ok: false, error: { message, hint: "Ask for less, or go on without it.", code: "timeout" } };
}

/**
 * Runs a tool with arguments that fit it, within its own time limit (milliseconds) and as long as `signal` is quiet. A
 * throw, the limit and Stop become failed results. Never rejects.
 */
export async function executeTool(
  host: Host,
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal,
  contextOf: (limit: Deadline) => ToolCallContext,
): Promise<ToolResult> {
  const limitMs = tool.timeoutMs ?? defaultTimeoutMs;
  const settled = await withTimeLimit(host, signal, limitMs, (limit) => tool.execute(input, contextOf(limit)));
  switch (settled.kind) {
    case "done":
      return settled.value;
    case "threw":
      return thrown(settled.error);
    case "timeout":
      return timedOut(limitMs);
    case "aborted":
      return { ok: false, error: { message: "The call was stopped.", code: "cancelled" } };
    default:
      return settled satisfies never;
  }
}
