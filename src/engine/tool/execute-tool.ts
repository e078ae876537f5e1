import type { Host } from "../host.ts";
import type { JsonObject } from "../json.ts";
import { RunError } from "../errors.ts";
import { type Deadline, withTimeLimit } from "../time/deadline.ts";
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
 * Runs a tool with valid arguments, within its own time limit (milliseconds) and until `signal` aborts. Exceptions, the
 * limit and Stop become failed results. Never rejects.
 */
export function executeTool(
  host: Host,
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal,
  contextOf: (limit: Deadline) => ToolCallContext,
): Promise<ToolResult> {
  return withinLimit(host, tool, signal, (limit) => tool.execute(input, contextOf(limit)));
}

/** Previews a call; undefined if the tool has no preview. Has the same limits as `executeTool`. Never rejects. */
export async function previewTool(
  host: Host,
  tool: Tool,
  input: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const preview = tool.preview?.bind(tool);
  return preview && withinLimit(host, tool, signal, (limit) => preview(input, { signal: limit.signal }));
}

async function withinLimit(
  host: Host,
  tool: Tool,
  signal: AbortSignal,
  work: (limit: Deadline) => Promise<ToolResult>,
): Promise<ToolResult> {
  const limitMs = tool.timeoutMs ?? defaultTimeoutMs;
  const settled = await withTimeLimit(host, signal, limitMs, work);
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
