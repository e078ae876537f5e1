import type { RunErrorData } from "../../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { type EventOf, idKeys, type RunEvent, type RunEventBody } from "../events.ts";
import { type Answers, gatherAnswers, sharedPieces, showsText } from "./shared-answers.ts";
import { sharedAnswer, sharedInput, sharedMessages, sharedOutput } from "./shared-message.ts";
import { sharedId, type SharedParts } from "./shared-run.ts";
import type { SharedText } from "./shared-text.ts";

/**
 * The events as strangers see them. Each is made anew from what is named here, so what an event gets later stays out until
 * somebody decides about it. What happened inside another workflow belongs to that one's call, and to the data. `agents` are the
 * ids of the workflow's agents.
 */
export function sharedEvents(
  events: readonly RunEvent[],
  agents: ReadonlySet<string>,
  parts: SharedParts,
  words: SharedText,
): RunEvent[] {
  const answers = gatherAnswers(events);
  const said = saidBy(agents, events);
  const sharing = { parts, words, answers, said, pieces: sharedPieces(answers, parts, words) };
  const shown: RunEvent[] = [];
  for (const event of events) {
    const bodies = isOfAnother(event) && !parts.data ? [] : sharedBodies(event, sharing);
    for (const body of bodies) shown.push({ ...placeOf(event), seq: shown.length, ...body });
  }
  return shown;
}

/** The answers that agents gave, not counting those within calls of tools. */
function saidBy(agents: ReadonlySet<string>, events: readonly RunEvent[]): Set<string> {
  const responses = events.flatMap((event) => {
    if (event.type !== "node-end" || event.parentCallId !== undefined || !agents.has(event.nodeId)) return [];
    const response = isJsonObject(event.output) ? event.output["response"] : undefined;
    return typeof response === "string" ? [response] : [];
  });
  return new Set(responses);
}

function placeOf({ at, parentCallId, item, outerItems, replayed }: RunEvent) {
  return {
    runId: sharedId,
    at,
    ...(parentCallId === undefined ? {} : { parentCallId }),
    ...(item === undefined ? {} : { item }),
    ...(outerItems === undefined ? {} : { outerItems: [...outerItems] }),
    ...(replayed === undefined ? {} : { replayed }),
  };
}

/** Nodes of a workflow that was called as a tool are named below the tool. */
function isOfAnother(event: RunEvent): boolean {
  if (event.parentCallId === undefined) return false;
  return idKeys.some((key) => String(Reflect.get(event, key) ?? "").includes("/"));
}

interface Sharing {
  parts: SharedParts;
  words: SharedText;
  answers: Answers;
  said: ReadonlySet<string>;
  pieces: ReadonlyMap<RunEvent, string>;
}

function sharedBodies(event: RunEvent, sharing: Sharing): RunEventBody[] {
  const { parts, words, answers, said, pieces } = sharing;
  const { text, data } = words;
  const error = (given: RunErrorData) => sharedError(given, parts, words);
  const object = (value: JsonObject): JsonObject => {
    const shown = data(value);
    return isJsonObject(shown) ? shown : {};
  };
  switch (event.type) {
    case "run-start":
      return [
        {
          type: "run-start",
          workflowId: sharedId,
          workflowName: text(event.workflowName),
          input: sharedInput(event.input, parts, words),
        },
      ];
    case "run-resume":
      return [{ type: "run-resume", attempt: event.attempt, brokenOff: [...event.brokenOff] }];
    case "run-end": {
      const { type, outcome, usage, durationMs } = event;
      const failed = event.error === undefined ? {} : { error: error(event.error) };
      return [
        {
          type,
          outcome,
          usage,
          durationMs,
          costUsd: null,
          output: sharedOutput(event.output, said, parts, words),
          ...failed,
        },
      ];
    }
    case "node-start":
      return [{ type: "node-start", nodeId: event.nodeId, input: data(event.input) }];
    case "node-end": {
      const { type, nodeId, ports, durationMs } = event;
      return [{ type, nodeId, ports, durationMs, output: data(event.output) }];
    }
    case "node-error": {
      const { type, nodeId, handled, durationMs } = event;
      return [{ type, nodeId, handled, durationMs, error: error(event.error) }];
    }
    case "node-skip":
      return [{ type: "node-skip", nodeId: event.nodeId, reason: text(event.reason) }];
    case "edge-pass":
      return [{ type: "edge-pass", edgeId: event.edgeId }];
    case "iteration-start": {
      const { type, nodeId, iteration, round, maxIterations } = event;
      return [{ type, nodeId, iteration, round, maxIterations }];
    }
    case "iteration-end": {
      const { type, nodeId, iteration, round, finish } = event;
      return [{ type, nodeId, iteration, round, ...(finish === undefined ? {} : { finish }) }];
    }
    case "model-request": {
      const { type, nodeId, modelNodeId, edgeId, callId, iteration, purpose, provider } = event;
      const sent = parts.prompts && purpose !== "summary" && (parts.data || event.parentCallId === undefined);
      const settings = parts.prompts ? settingsOf(event.settings, words) : {};
      return [
        {
          type,
          nodeId,
          modelNodeId,
          edgeId,
          callId,
          iteration,
          purpose,
          provider,
          settings,
          model: text(event.model),
          messages: sent ? sharedMessages(event, parts, words) : [],
          tools: [],
          toolChoice: "auto",
        },
      ];
    }
    case "text-delta":
    case "reasoning-delta": {
      const { type, nodeId, callId } = event;
      const piece = pieces.get(event);
      return piece === undefined ? [] : [{ type, nodeId, callId, text: piece }];
    }
    case "model-response": {
      const { type, nodeId, modelNodeId, edgeId, callId, iteration, finishReason, usage, durationMs } = event;
      return [
        {
          type,
          nodeId,
          modelNodeId,
          edgeId,
          callId,
          iteration,
          finishReason,
          durationMs,
          message: sharedAnswer(event.message, showsText(answers.get(callId), parts), parts, words),
          costUsd: null,
          ...(usage === undefined ? {} : { usage }),
          ...(event.firstTokenMs === undefined ? {} : { firstTokenMs: event.firstTokenMs }),
          ...(event.error === undefined ? {} : { error: error(event.error) }),
        },
      ];
    }
    case "tool-call-start":
      return [{ type: "tool-call-start", ...callOf(event, words), input: data(event.input) }];
    case "tool-call-end": {
      const { type, ok, truncated, durationMs } = event;
      const result = parts.data
        ? { output: data(event.output), text: resultText(event, sharing), size: event.size }
        : { output: null, text: "", size: 0 };
      const rejected = event.rejected === undefined ? {} : { rejected: event.rejected };
      return [{ type, ...callOf(event, words), ok, truncated, durationMs, ...result, ...rejected }];
    }
    case "approval-wait":
      return [{ type: "approval-wait", ...callOf(event, words), input: object(event.input), ...againOf(event) }];
    case "approval-end": {
      const { type, nodeId, toolNodeId, edgeId, callId, approved } = event;
      return [{ type, nodeId, toolNodeId, edgeId, callId, approved, input: object(event.input), ...againOf(event) }];
    }
    case "write-start": {
      const { type, nodeId, callId, toolName } = event;
      const call = callId === undefined ? {} : { callId };
      return [
        { type, nodeId, ...call, ...(toolName === undefined ? {} : { toolName: text(toolName) }), ...againOf(event) },
      ];
    }
    case "form-wait":
      return [{ type: "form-wait", ...callOf(event, words), form: { message: "", schema: { type: "object" } } }];
    case "form-end": {
      const { type, nodeId, toolNodeId, edgeId, callId, action } = event;
      return [{ type, nodeId, toolNodeId, edgeId, callId, action }];
    }
    case "tool-progress": {
      const { type, nodeId, toolNodeId, edgeId, callId, progress, total } = event;
      return [{ type, nodeId, toolNodeId, edgeId, callId, progress, ...(total === undefined ? {} : { total }) }];
    }
    case "wait-start":
      return [{ type: "wait-start", nodeId: event.nodeId, callId: event.callId, until: event.until }];
    case "wait-end":
      return [{ type: "wait-end", nodeId: event.nodeId, callId: event.callId }];
    case "memory-load":
    case "memory-save": {
      const { type, nodeId, memoryNodeId, edgeId, messages, durationMs } = event;
      return [{ type, nodeId, memoryNodeId, edgeId, messages, durationMs, session: "" }];
    }
    case "memory-error": {
      const { type, nodeId, memoryNodeId, edgeId, operation } = event;
      return [{ type, nodeId, memoryNodeId, edgeId, operation, session: "", error: error(event.error) }];
    }
    case "embedding": {
      const { type, nodeId, provider, texts, usage, estimated, durationMs } = event;
      return [{ type, nodeId, provider, texts, usage, estimated, durationMs, model: text(event.model), costUsd: null }];
    }
    case "rerank": {
      const { type, nodeId, provider, texts, usage, estimated, durationMs } = event;
      return [{ type, nodeId, provider, texts, usage, estimated, durationMs, model: text(event.model), costUsd: null }];
    }
    case "transcription": {
      const { type, nodeId, provider, seconds, usage, durationMs } = event;
      return [{ type, nodeId, provider, seconds, usage, durationMs, model: text(event.model), costUsd: null }];
    }
    case "plan":
    case "reflection": {
      const shown = parts.prompts && (parts.data || event.parentCallId === undefined) ? text(event.text) : "";
      if (event.type === "plan") return [{ type: "plan", nodeId: event.nodeId, text: shown }];
      return [{ type: "reflection", nodeId: event.nodeId, iteration: event.iteration, text: shown }];
    }
    case "compaction": {
      const { type, nodeId, iteration, messages, tokens, limit, window } = event;
      return [{ type, nodeId, iteration, messages, tokens, limit, window }];
    }
    case "retry": {
      const { type, nodeId, attempt, maxAttempts, delayMs } = event;
      return [{ type, nodeId, attempt, maxAttempts, delayMs, error: error(event.error) }];
    }
    case "warning": {
      const place = event.nodeId === undefined ? {} : { nodeId: event.nodeId };
      return parts.data ? [{ type: "warning", ...place, message: text(event.message), hint: text(event.hint) }] : [];
    }
    // The bytes stay with the owner, so no value of a shared run is a file.
    case "file-add":
      return [];
    // A shared run holds nothing of an interface: it would run a server's code before strangers.
    case "tool-app":
      return [];
    // How the run was looked into is nothing that it did.
    case "log":
    case "pause-wait":
    case "pause-end":
      return [];
    default:
      return event satisfies never;
  }
}

type ToolCallEvent =
  | EventOf<"tool-call-start">
  | EventOf<"tool-call-end">
  | EventOf<"approval-wait">
  | EventOf<"form-wait">;

function callOf({ nodeId, toolNodeId, edgeId, callId, toolName }: ToolCallEvent, { text }: SharedText) {
  return { nodeId, toolNodeId, edgeId, callId, toolName: text(toolName) };
}

function againOf({ again }: { again?: number }): { again?: number } {
  return again === undefined ? {} : { again };
}

/** The result as the model read it; a text that is a value is written as one, so that its files stay out. */
function resultText({ text, output }: EventOf<"tool-call-end">, { words }: Sharing): string {
  if (typeof output === "string") return words.text(text);
  return JSON.stringify(words.data(output));
}

function settingsOf(settings: JsonObject, { text }: SharedText): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]): [string, Json][] => {
      if (typeof value === "string") return [[key, text(value)]];
      return typeof value === "number" || typeof value === "boolean" ? [[key, value]] : [];
    }),
  );
}

/** What went wrong, without what a vendor or a server said of it. */
const plainly: Record<RunErrorData["code"], string> = {
  invalid_config: "A setting was wrong.",
  missing_connection: "A connection was missing.",
  invalid_credentials: "A credential was refused.",
  rate_limit: "A rate limit was reached.",
  model_error: "The model failed.",
  content_filter: "A content filter stopped the answer.",
  context_length: "The conversation was too long for the model.",
  tool_error: "A tool failed.",
  invalid_arguments: "A tool was called with arguments that it does not take.",
  memory_error: "The memory failed.",
  expression_error: "An expression failed.",
  timeout: "It took too long.",
  cancelled: "The run was stopped.",
  blocked_address: "An address was blocked.",
  budget: "The budget was spent.",
  internal: "Something failed.",
};

function sharedError({ code, message }: RunErrorData, parts: SharedParts, { text }: SharedText): RunErrorData {
  return { code, message: parts.data ? text(message) : plainly[code], hint: "", retryable: false };
}
