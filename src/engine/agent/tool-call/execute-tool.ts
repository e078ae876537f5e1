import type { Host } from "../../host.ts";
import type { JsonObject } from "../../json.ts";
import { RunError } from "../../run/errors.ts";
import { type Deadline, withTimeLimit } from "../../time/deadline.ts";
import type { AgentRun, Execution } from "../execution.ts";
import type { Tool, ToolCallContext, ToolResult } from "../tool.ts";
import type { MakeCall, TableEntry } from "./tool-call.ts";

const defaultTimeoutMs = 30_000;

/** Milliseconds between two pieces of news of one call. */
const leastApart = 500;
/** A call tells no more than this, so that a log stays readable. */
const mostPerCall = 200;
const longestText = 300;

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

/** Makes what calls a tool, within its time limit, and gives it what a tool may use of the agent. */
export function createCallExecutor(execution: Execution): MakeCall {
  const { run, deadline, progress } = execution;
  return async ({ entry, callId, input, clock, askForm, tellProgress }) => {
    const { tool, nodeId } = entry;
    const result = await executeTool(run.host, tool, input, deadline.signal, (limit) => {
      const whileAsking = <Value>(wait: () => Promise<Value>) =>
        clock.during(() => execution.pausedWhile(() => limit.pausedWhile(wait)));
      return {
        get signal() {
          return limit.signal;
        },
        callId,
        depth: run.depth + 1,
        untrusted: progress.untrusted,
        pausedWhile: whileAsking,
        addUsage: execution.addUsage,
        log(message, data) {
          run.emit({ type: "log", nodeId, level: "info", message, ...(data === undefined ? {} : { data }) });
        },
        ask: (form, options) => whileAsking(() => askForm(form, limit.signal, options)),
        tellProgress,
      };
    });
    return { input, result };
  };
}

/** Makes what tells the progress of one call, now and then: each piece of news replaces the one before. */
export function createProgressTeller(
  run: AgentRun,
  { nodeId: toolNodeId, edgeId }: TableEntry,
  callId: string,
): ToolCallContext["tellProgress"] {
  let told = 0;
  let last = -Infinity;
  return ({ progress, total, text = "" }) => {
    const now = run.host.now();
    if (told >= mostPerCall || now - last < leastApart || !Number.isFinite(progress)) return;
    told += 1;
    last = now;
    run.emit({
      type: "tool-progress",
      nodeId: run.nodeId,
      toolNodeId,
      edgeId,
      callId,
      progress,
      ...(total !== undefined && Number.isFinite(total) && total > 0 ? { total } : {}),
      ...(text === "" ? {} : { text: text.slice(0, longestText) }),
    });
  };
}
