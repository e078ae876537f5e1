import { progressWords } from "../../engine/tool/tool.ts";
import { readSessionName } from "../../engine/memory/memory.ts";
import { briefJson } from "../../engine/brief-json.ts";
import type { Json } from "../../engine/json.ts";
import { toolCalls } from "../../engine/model/message.ts";
import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import { allowedText, askReason } from "../../engine/trust/provenance/unsaid-text.ts";
import { finishMessage } from "../../state/run/finish-message.ts";
import { repeatText } from "../../state/run/repeat-text.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { memoryText } from "./memory-text.ts";
import { compactionText } from "./compaction-text.ts";
import { transcriptionText } from "./transcription-text.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** What nodes are called, and between which of them an edge runs; undefined for an edge that is gone. */
export interface LogNames {
  node(nodeId: string): string;
  edge(edgeId: string): { from: string; to: string } | undefined;
}

/** What an event says in a log; null for the single words of a stream. */
export function logText(event: RunEvent, names: LogNames): [LogLevel, string] | null {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return null;
    case "run-start":
      return ["info", `Run of “${event.workflowName}” started`];
    case "run-end":
      if (event.outcome === "completed") return ["info", `Run completed in ${formatDuration(event.durationMs)}`];
      if (event.outcome === "cancelled") return ["warn", "Run stopped"];
      return ["error", `Run failed: ${event.error?.message ?? "no reason was given"}`];
    case "node-start":
      return ["info", `${names.node(event.nodeId)} started`];
    case "node-end":
      return ["info", `${names.node(event.nodeId)} finished in ${formatDuration(event.durationMs)}`];
    case "node-error":
      return [event.handled ? "warn" : "error", `${names.node(event.nodeId)} failed: ${event.error.message}`];
    case "node-skip":
      return ["info", `${names.node(event.nodeId)} skipped: ${event.reason}`];
    case "edge-pass": {
      const ends = names.edge(event.edgeId);
      return ["debug", ends ? `${ends.from} passed its result to ${ends.to}` : "A result was passed to the next node"];
    }
    case "iteration-start":
      return ["debug", `Iteration ${event.iteration} of at most ${event.maxIterations} started`];
    case "iteration-end":
      if (event.ending) return ["warn", event.ending.message];
      return [
        "debug",
        `Iteration ${event.iteration} ended${event.finish === undefined ? "" : `: ${finishMessage(event.finish)}`}`,
      ];
    case "model-request":
      return ["info", `Model call to ${event.model} with ${count(event.messages.length, "message")}`];
    case "model-response":
      return responseWords(event);
    case "tool-call-start":
      return ["info", callText(event)];
    case "tool-call-end":
      if (event.rejected) return ["info", `Tool ${event.toolName} was not called: ${brief(event.text)}`];
      if (!event.ok) return ["warn", `Tool ${event.toolName} failed: ${brief(event.text)}`];
      return [
        "info",
        `Tool ${event.toolName} answered in ${formatDuration(event.durationMs)}: ${brief(event.text)}${event.truncated ? " (cut for the model)" : ""}`,
      ];
    case "write-start":
      if (event.again === undefined) return null;
      return ["warn", `${event.toolName === undefined ? `${names.node(event.nodeId)}: ` : ""}${repeatText(event)}`];
    case "approval-wait":
      return ["warn", [waitWords(event), askReason(event)].filter(Boolean).join(". ")];
    case "approval-end":
      return ["info", decisionText(event)];
    case "form-wait":
      return ["warn", `Tool ${event.toolName} asks: ${brief(event.form.message)}`];
    case "form-end":
      return ["info", formWords(event)];
    case "tool-progress":
      return ["debug", `Progress: ${progressWords(event)}`];
    case "tool-app":
      return ["info", `Interface shown: ${event.app.uri}`];
    case "wait-start":
      return ["info", `${names.node(event.nodeId)} waits until ${formatMoment(event.until)}`];
    case "wait-end":
      return ["info", `${names.node(event.nodeId)} has waited long enough`];
    case "pause-wait":
      return ["warn", `${names.node(event.atNodeId)} is held before ${pauseText[event.kind]}`];
    case "pause-end":
      return [
        "info",
        `${names.node(event.atNodeId)} ${actionWords[event.action]}${event.input === undefined ? "" : ", with edited data"}`,
      ];
    case "memory-load":
      return ["debug", `${memoryText(event)} of session ${readSessionName(event.session).session}`];
    case "memory-save":
      return ["debug", `${memoryText(event)} to session ${readSessionName(event.session).session}`];
    case "memory-error":
      return ["warn", `Memory failed to ${event.operation}: ${event.error.message}`];
    case "embedding":
      return [
        "debug",
        `Embedded ${count(event.texts, "text")} with ${event.model} in ${formatDuration(event.durationMs)}`,
      ];
    case "rerank":
      return [
        "debug",
        `Reranked ${count(event.texts, "passage")} with ${event.model} in ${formatDuration(event.durationMs)}`,
      ];
    case "transcription":
      return ["info", `${transcriptionText(event)} in ${formatDuration(event.durationMs)}`];
    case "plan":
      return ["info", `Plan: ${brief(event.text)}`];
    case "reflection":
      return ["info", `Review: ${brief(event.text)}`];
    case "compaction":
      return ["info", compactionText(event)];
    case "run-resume":
      return ["info", resumeWords(event)];
    case "retry":
      return [
        "warn",
        `Retry ${event.attempt} of ${event.maxAttempts} in ${formatDuration(event.delayMs)}: ${event.error.message}`,
      ];
    case "file-add":
      return [
        "info",
        `${names.node(event.nodeId)}: file "${event.workspace?.path ?? event.file.name}" (${event.file.mediaType}, ${event.file.size} bytes)`,
      ];
    case "warning":
      return ["warn", event.message];
    case "log":
      return [event.level, event.message];
    default:
      return event satisfies never;
  }
}

function callText(event: EventOf<"tool-call-start">): string {
  const called = `Tool ${event.toolName} called with ${brief(event.input)}`;
  const allowed = allowedText(event);
  return allowed === undefined ? called : `${called}. Nobody was asked, because ${allowed}`;
}

function waitWords({ nodeId, toolNodeId, toolName, again }: EventOf<"approval-wait">): string {
  const isStep = nodeId === toolNodeId;
  if (again === undefined) return `${isStep ? "" : "Tool "}${toolName} waits for approval`;
  if (isStep)
    return `${toolName} may have been done before the run was interrupted; a person decides whether it is done again`;
  return `Tool ${toolName} may have been called before the run was interrupted; a person decides whether it is called again`;
}

function decisionText({ nodeId, toolNodeId, approved, reason, again }: EventOf<"approval-end">): string {
  const isStep = nodeId === toolNodeId;
  const what =
    again === undefined ? (isStep ? "The step was" : "Tool call") : `Repeating the ${isStep ? "step" : "call"} was`;
  if (approved) return `${what} approved`;
  return reason === undefined ? `${what} rejected` : `${what} rejected: ${reason}`;
}

function formWords({ action, unasked }: EventOf<"form-end">): string {
  if (action === "accept") return "The form was answered";
  if (action === "cancel") return "The form was not answered";
  return unasked ? "The form was declined: nobody could be asked" : "The form was declined";
}

const pauseText = { node: "it starts", "model-call": "a model call", "tool-call": "a tool call" } as const;
const actionWords = { continue: "continues", step: "continues to the next stop", stop: "was stopped by you" } as const;

function responseWords(event: EventOf<"model-response">): [LogLevel, string] {
  if (event.error) return ["error", `Model call failed: ${event.error.message}`];
  const after = formatDuration(event.durationMs);
  switch (event.finishReason) {
    case "stop":
      return ["info", `Model answered in ${after}`];
    case "tool-calls": {
      const calls = toolCalls(event.message).length;
      if (calls === 0) return ["info", `Model answered in ${after}`];
      return ["info", `Model asked in ${after} for ${calls === 1 ? "a tool call" : `${calls} tool calls`}`];
    }
    case "length":
      return ["warn", `Model answered in ${after}; the answer was cut off at the token limit`];
    case "content-filter":
      return ["warn", `Model declined, or its answer was filtered, after ${after}`];
    case "pause":
      return ["info", `Model paused after ${after} and is asked to go on`];
    case "other":
      return ["warn", `Model stopped early after ${after} (${event.rawFinishReason ?? "no reason given"})`];
    case "cancelled":
      return ["warn", `Model call was stopped after ${after}`];
    case "error":
      return ["error", `Model call failed after ${after}`];
    default:
      return event.finishReason satisfies never;
  }
}

function count(amount: number, thing: string): string {
  return `${amount} ${thing}${amount === 1 ? "" : "s"}`;
}

function brief(value: Json): string {
  return briefJson(value, 200);
}

/** Where and by whom a run that was interrupted goes on. */
function resumeWords({ attempt, worker, brokenOff }: EventOf<"run-resume">): string {
  const by = worker === undefined ? "" : ` on ${worker}`;
  const again = brokenOff.length === 0 ? "" : `; ${count(brokenOff.length, "unanswered model call")} made again`;
  return `Resumed, attempt ${attempt}${by}${again}`;
}
