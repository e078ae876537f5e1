import type { Json } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";

/** From the least to the most important. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One line of the Logs tab; `data` is the event that it tells of. */
export interface LogLine {
  seq: number;
  at: number;
  level: LogLevel;
  message: string;
  nodeId: string | undefined;
  event: RunEvent;
}

/** What an event says in a log; null for the single words of a stream. `titleOf` names nodes. */
export function logLine(event: RunEvent, titleOf: (nodeId: string) => string): LogLine | null {
  const said = words(event, titleOf);
  if (said === null) return null;
  const nodeId = "nodeId" in event ? event.nodeId : undefined;
  return { seq: event.seq, at: event.at, level: said[0], message: said[1], nodeId, event };
}

function words(event: RunEvent, titleOf: (nodeId: string) => string): [LogLevel, string] | null {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return null;
    case "run-start":
      return ["info", `Run of “${event.workflowName}” started`];
    case "run-end":
      if (event.outcome === "completed") return ["info", `Run completed in ${event.durationMs} ms`];
      if (event.outcome === "cancelled") return ["warn", "Run stopped"];
      return ["error", `Run failed: ${event.error?.message ?? "no reason was given"}`];
    case "node-start":
      return ["info", `${titleOf(event.nodeId)} started`];
    case "node-end":
      return ["info", `${titleOf(event.nodeId)} finished in ${event.durationMs} ms`];
    case "node-error":
      return [event.handled ? "warn" : "error", `${titleOf(event.nodeId)} failed: ${event.error.message}`];
    case "node-skip":
      return ["info", `${titleOf(event.nodeId)} skipped: ${event.reason}`];
    case "edge-pass":
      return ["debug", "A value passed on"];
    case "iteration-start":
      return ["debug", `Iteration ${event.iteration} of ${event.maxIterations} started`];
    case "iteration-end":
      return ["debug", `Iteration ${event.iteration} ended${event.finish === undefined ? "" : `: ${event.finish}`}`];
    case "model-request":
      return ["info", `Model call to ${event.model} with ${count(event.messages.length, "message")}`];
    case "model-response":
      if (event.error) return ["error", `Model call failed: ${event.error.message}`];
      return ["info", `Model answered in ${event.durationMs} ms (${event.finishReason})`];
    case "tool-call-start":
      return ["info", `Tool ${event.toolName} called with ${brief(event.input)}`];
    case "tool-call-end":
      if (!event.ok) return ["warn", `Tool ${event.toolName} failed: ${brief(event.text)}`];
      return ["info", `Tool ${event.toolName} answered in ${event.durationMs} ms: ${brief(event.text)}`];
    case "approval-wait":
      return ["warn", `Tool ${event.toolName} waits for approval`];
    case "approval-end":
      return ["info", `Tool call ${event.approved ? "approved" : `rejected: ${event.reason ?? ""}`}`];
    case "pause-wait":
      return ["warn", `${titleOf(event.atNodeId)} is held before ${pauseWords[event.kind]}`];
    case "pause-end":
      return [
        "info",
        `${titleOf(event.atNodeId)} goes on: ${event.action}${event.input === undefined ? "" : ", edited"}`,
      ];
    case "memory-load":
      return ["debug", `Read ${count(event.messages, "message")} of session ${event.session}`];
    case "memory-save":
      return ["debug", `Saved ${count(event.messages, "message")} to session ${event.session}`];
    case "memory-error":
      return ["warn", `Memory failed to ${event.operation}: ${event.error.message}`];
    case "plan":
      return ["info", `Plan: ${brief(event.text)}`];
    case "reflection":
      return ["info", `Review: ${brief(event.text)}`];
    case "retry":
      return ["warn", `Retry ${event.attempt} of ${event.maxAttempts} in ${event.delayMs} ms: ${event.error.message}`];
    case "warning":
      return ["warn", event.message];
    case "log":
      return [event.level, event.message];
    default:
      return event satisfies never;
  }
}

const pauseWords = { node: "it starts", "model-call": "a model call", "tool-call": "a tool call" } as const;

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? "" : "s"}`;
}

function brief(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The lines of at least this level whose message or event contains the text, in any case. */
export function filterLogLines(lines: readonly LogLine[], level: LogLevel, search: string): LogLine[] {
  const least = logLevels.indexOf(level);
  const wanted = search.trim().toLowerCase();
  return lines.filter((line) => {
    if (logLevels.indexOf(line.level) < least) return false;
    if (wanted === "" || line.message.toLowerCase().includes(wanted)) return true;
    return JSON.stringify(line.event).toLowerCase().includes(wanted);
  });
}
