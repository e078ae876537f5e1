import { nodeSlugs } from "../../engine/document/slug.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { messageText } from "../../engine/model/message.ts";
import type { RunEvent } from "../../engine/run/events.ts";

/** Longest text of one value that a model reads in a list of steps, and in one step. */
const shortChars = 160;
const longChars = 4_000;
/** Most steps of a list: the first and the last ones. */
const mostSteps = 60;

/** Whether an event says something to somebody who looks for what went wrong. */
function tells(event: RunEvent): boolean {
  return event.type === "write-start" ? event.again !== undefined : told.has(event.type);
}

const told: ReadonlySet<RunEvent["type"]> = new Set([
  "run-start",
  "run-end",
  "node-end",
  "node-error",
  "node-skip",
  "model-response",
  "tool-call-end",
  "approval-end",
  "memory-error",
  "retry",
  "warning",
]);

/** The steps of a run, each in a line with the number that names it. */
export function runOutline(events: readonly RunEvent[], document: WorkflowDocument): JsonObject {
  const slugs = nodeSlugs(document);
  const steps = events.filter(tells);
  const shown = steps.length <= mostSteps ? steps : [...steps.slice(0, 20), ...steps.slice(20 - mostSteps)];
  const end = events.findLast((event) => event.type === "run-end");
  return {
    outcome: end?.outcome ?? "interrupted",
    ...(end?.error ? { error: { code: end.error.code, message: end.error.message, hint: end.error.hint } } : {}),
    steps: shown.map((event) => lineOf(event, slugs)),
    ...(steps.length > shown.length
      ? { note: `${steps.length - shown.length} steps in the middle are left out.` }
      : {}),
  };
}

/** One step of a run in full; undefined where there is none of that number. */
export function runStep(events: readonly RunEvent[], document: WorkflowDocument, step: number): JsonObject | undefined {
  const event = events.find(({ seq }) => seq === step);
  if (event === undefined) return undefined;
  const slugs = nodeSlugs(document);
  const start = "callId" in event ? events.find((other) => isStartOf(other, event)) : undefined;
  const entry = events.findLast(
    (other) => other.type === "node-start" && other.seq <= step && "nodeId" in event && other.nodeId === event.nodeId,
  );
  return {
    ...lineOf(event, slugs),
    ...(entry?.type === "node-start" ? { nodeInput: cut(entry.input, longChars) } : {}),
    ...(start?.type === "tool-call-start" ? { input: cut(start.input, longChars) } : {}),
    ...(start?.type === "model-request"
      ? {
          messages: start.messages
            .slice(-6)
            .map((message) => ({ role: message.role, text: cut(messageText(message), 1_500) })),
        }
      : {}),
    ...(event.type === "tool-call-end" || event.type === "node-end" || event.type === "run-end"
      ? { output: cut(event.output, longChars) }
      : {}),
    ...(event.type === "run-start" ? { input: cut(event.input, longChars) } : {}),
  };
}

function isStartOf(other: RunEvent, event: RunEvent): boolean {
  return (
    (other.type === "tool-call-start" || other.type === "model-request") &&
    "callId" in event &&
    other.callId === event.callId
  );
}

function lineOf(event: RunEvent, slugs: ReadonlyMap<string, string>): JsonObject {
  const node = "nodeId" in event && event.nodeId !== undefined ? (slugs.get(event.nodeId) ?? event.nodeId) : undefined;
  const base: JsonObject = { step: event.seq, what: event.type, ...(node === undefined ? {} : { node }) };
  switch (event.type) {
    case "run-start":
      return { ...base, input: cut(event.input, shortChars) };
    case "run-end":
      return { ...base, outcome: event.outcome, ...(event.error ? errorOf(event.error) : {}) };
    case "node-error":
      return { ...base, handled: event.handled, ...errorOf(event.error) };
    case "retry":
    case "memory-error":
      return { ...base, ...errorOf(event.error) };
    case "node-end":
      return { ...base, output: cut(event.output, shortChars) };
    case "node-skip":
      return { ...base, reason: event.reason };
    case "model-response": {
      const calls = event.message.parts.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []));
      return {
        ...base,
        finish: event.finishReason,
        text: cut(messageText(event.message), shortChars),
        ...(calls.length > 0 ? { calls } : {}),
        ...(event.error ? errorOf(event.error) : {}),
      };
    }
    case "tool-call-end":
      return { ...base, tool: event.toolName, ok: event.ok, result: cut(event.text, shortChars) };
    case "approval-end":
      return { ...base, approved: event.approved, ...(event.reason ? { reason: cut(event.reason, shortChars) } : {}) };
    case "write-start":
      return { ...base, mayHaveBeenDoneBefore: event.again ?? 0 };
    case "warning":
      return { ...base, message: cut(event.message, shortChars), hint: event.hint };
    default:
      return base;
  }
}

function errorOf({ code, message, hint }: { code: string; message: string; hint: string }): JsonObject {
  return { code, message: cut(message, 600), hint };
}

function cut(value: Json, chars: number): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= chars) return value;
  return `${text.slice(0, chars)}… (${text.length} characters)`;
}

/** All data of a run whose names templates may use: inputs and outputs of nodes and tools. */
export function dataOf(events: readonly RunEvent[]): Json[] {
  return events.flatMap((event): Json[] => {
    if (event.type === "run-start" || event.type === "node-start") return [event.input];
    if (event.type === "node-end" || event.type === "tool-call-end") return [event.output];
    return [];
  });
}

/** What was asked of the run, for its name in a list. */
export function inputWords(input: Json): string {
  const message =
    isJsonObject(input) && typeof input["message"] === "string" ? input["message"] : JSON.stringify(input);
  return message.slice(0, 80);
}
