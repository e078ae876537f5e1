import type { FileValue } from "../file/file.ts";
import type { AgentEnding, AgentFinish } from "../agent/ending.ts";
import type { AskedForm } from "../tool/tool.ts";
import type { ToolApp } from "../tool/tool-app.ts";
import type { Json, JsonObject } from "../json.ts";
import type { FinishReason, ToolChoice, ToolDefinition, Usage } from "../model/chat-model.ts";
import type { RerankUse } from "../model/rerank-use.ts";
import type { TranscriptionUse } from "../model/transcription.ts";
import type { EmbeddingUse } from "../model/embedding-use.ts";
import type { AssistantMessage, Message } from "../model/message.ts";
import type { PauseKind } from "./breakpoints.ts";
import type { RunErrorData } from "../errors.ts";
import type { RunPart } from "./run-part.ts";
import type { BookedAmount } from "../spending/call-cost.ts";
import type { ValueOrigin } from "../trust/provenance/verdict.ts";
import type { UnsaidValue } from "../trust/provenance/unsaid-value.ts";
import type { Taint } from "../trust/taint.ts";

/**
 * Why a model was called: by an agent, for its memory (`summary`) or for its own long work (`compaction`), by one that has values read
 * out of a text (`extract`), or (`check`) by a node that lets it judge a text.
 */
export type ModelPurpose =
  | "answer"
  | "plan"
  | "reflection"
  | "summary"
  | "compaction"
  | "repair"
  | "final"
  | "check"
  | "extract";

const besideTheTurn: ReadonlySet<ModelPurpose> = new Set(["summary", "compaction", "check", "extract"]);

/** Whether a model was called for the agent's own turn, whose last text is what its reader sees. */
export function isOfTurn(purpose: ModelPurpose): boolean {
  return !besideTheTurn.has(purpose);
}

/** How a run ended. */
export type RunOutcome = "completed" | "failed" | "cancelled";

/** Where a run was forked off, as its `run-start` and its row say. */
export interface ForkPoint {
  runId: string;
  /** Absent when the whole recording is replayed. */
  seq?: number;
  /** The call that was changed or made anew. */
  callId?: string;
}

interface ModelCall {
  nodeId: string;
  modelNodeId: string;
  edgeId: string;
  /** Unique within the run; joins request, deltas and response. */
  callId: string;
  iteration: number;
}

interface ToolCall {
  nodeId: string;
  toolNodeId: string;
  edgeId: string;
  callId: string;
}

interface MemoryUse {
  nodeId: string;
  memoryNodeId: string;
  edgeId: string;
  session: string;
}

/**
 * What happened in a run. Types are named noun-verb and hold ids and JSON only. Exactly one `run-start` comes first and
 * exactly one `run-end` last; nothing is thrown after `run-start`. Secrets are redacted where an event is made.
 */
export type RunEventBody =
  | {
      type: "run-start";
      workflowId: string;
      workflowName: string;
      input: Json;
      /** Where untrusted content in the input came from; here and in the events below, absent if there is none. */
      untrusted?: Taint;
      /** The files that the run was given, by whoever started it or by its recording. */
      files?: readonly FileValue[];
      /** The run whose recording serves the beginning of this one. */
      forkedFrom?: ForkPoint;
      /** Absent where the run takes all of the workflow; also in older runs of a part. */
      part?: RunPart;
    }
  /**
   * Another attempt goes on with a run whose process went away. The events before stay as they are, except for
   * `brokenOff`: model calls that never got their answer and are made again.
   */
  | { type: "run-resume"; attempt: number; brokenOff: string[]; worker?: string }
  | {
      type: "run-end";
      outcome: RunOutcome;
      output: Json;
      error?: RunErrorData;
      usage: Usage;
      /** US dollars; null when a model's price is not known. */
      costUsd: number | null;
      durationMs: number;
      untrusted?: Taint;
    }
  | { type: "node-start"; nodeId: string; input: Json }
  | { type: "node-end"; nodeId: string; output: Json; ports: string[]; durationMs: number; untrusted?: Taint }
  /** `handled`: the node's error setting let the run continue. */
  | { type: "node-error"; nodeId: string; error: RunErrorData; handled: boolean; durationMs: number; untrusted?: Taint }
  | { type: "node-skip"; nodeId: string; reason: string }
  | { type: "edge-pass"; edgeId: string }
  | { type: "iteration-start"; nodeId: string; iteration: number; round: number; maxIterations: number }
  /** `finish` stands at the agent's last iteration; `ending` with it where the agent stopped early but gave what it had. */
  | {
      type: "iteration-end";
      nodeId: string;
      iteration: number;
      round: number;
      finish?: AgentFinish;
      ending?: AgentEnding;
    }
  | ({
      type: "model-request";
      purpose: ModelPurpose;
      provider: string;
      model: string;
      settings: JsonObject;
      messages: Message[];
      /** How many of `messages`, after the system message, the memory gave; absent in older runs. */
      fromMemory?: number;
      tools: ToolDefinition[];
      toolChoice: ToolChoice;
      /** Under a spending limit: what was booked, and how many tokens that leaves the answer where the node sets no limit. */
      booked?: BookedAmount & { maxOutputTokens?: number };
      /** Only as it is stored: the request with that `seq` begins with so many messages, and has the same tools, left out here. */
      repeats?: { seq: number; messages: number; tools: boolean };
    } & ModelCall)
  | { type: "text-delta"; nodeId: string; callId: string; text: string }
  | { type: "reasoning-delta"; nodeId: string; callId: string; text: string }
  | ({
      type: "model-response";
      /** The answer, or its first part if `error` is set. */
      message: AssistantMessage;
      finishReason: FinishReason | "error" | "cancelled";
      rawFinishReason?: string;
      usage?: Usage;
      costUsd: number | null;
      durationMs: number;
      firstTokenMs?: number;
      error?: RunErrorData;
    } & ModelCall)
  /**
   * `input` is the raw text of the arguments when they were not valid JSON. Once something came from outside, `origins` says of each
   * value where it came from, `unsaid` which of them nobody gave who may, and `allowed` which of
   * those are not asked about, since a person allowed them for good.
   */
  | ({
      type: "tool-call-start";
      toolName: string;
      input: Json;
      origins?: readonly ValueOrigin[];
      unsaid?: readonly UnsaidValue[];
      allowed?: readonly UnsaidValue[];
    } & ToolCall)
  | ({
      type: "tool-call-end";
      toolName: string;
      ok: boolean;
      /** The result in full, or the failure; above 200,000 characters what the model was shown. */
      output: Json;
      /** What the model was shown. */
      text: string;
      /** Characters of the full result. */
      size: number;
      truncated: boolean;
      /** Without the time spent waiting for a person. */
      durationMs: number;
      /** Not called: a person refused, or nobody could be asked. */
      rejected?: true;
      /** Where untrusted content in the result came from. */
      untrusted?: Taint;
    } & ToolCall)
  /**
   * Something begins that may change something outside: a step, or the tool call `callId` of the agent `nodeId`. Where nothing says
   * how it ended, nobody knows whether it was done. `again`: it is done although it had begun this many times.
   */
  | { type: "write-start"; nodeId: string; callId?: string; toolName?: string; again?: number }
  /**
   * A file of the run: what its values name by this id is a file from here on. `workspace`: from here on it is what the workspace
   * `nodeId` has under this path, and `untrusted` tells where untrusted content in it came from.
   */
  | {
      type: "file-add";
      nodeId: string;
      file: FileValue;
      workspace?: { path: string; version: number };
      untrusted?: Taint;
    }
  /**
   * `preview` is what the call would do, where its tool can say; `untrusted` what the agent has read from outside, `unsaid` the
   * values for which it asks. `again`: the question is whether to do again what had begun this many times; `callId` identifies the question then, and the event's
   * `parentCallId` is the call, if it is about one.
   */
  | ({
      type: "approval-wait";
      toolName: string;
      input: JsonObject;
      preview?: Json;
      untrusted?: Taint;
      unsaid?: readonly UnsaidValue[];
      again?: number;
    } & ToolCall)
  /** `unasked`: refused because nobody could be asked. */
  | ({
      type: "approval-end";
      approved: boolean;
      input: JsonObject;
      reason?: string;
      unasked?: true;
      again?: number;
    } & ToolCall)
  /** A tool asks a person during its call, whose id is the event's `parentCallId`; `callId` identifies the question. */
  | ({ type: "form-wait"; toolName: string; form: AskedForm } & ToolCall)
  /** `input` holds the submitted values if `action` is `accept`. `unasked`: declined because nobody could be asked. */
  | ({ type: "form-end"; action: "accept" | "decline" | "cancel"; input?: JsonObject; unasked?: true } & ToolCall)
  /** The progress of a call as reported by its tool: `progress` of `total`, in the tool's own unit. */
  | ({ type: "tool-progress"; progress: number; total?: number; text?: string } & ToolCall)
  /** The tool's interface and what it shows: the result as the server gave it. */
  | ({ type: "tool-app"; app: ToolApp; output: Json } & ToolCall)
  /** The node waits until `until`, in milliseconds since 1970. */
  | { type: "wait-start"; nodeId: string; callId: string; until: number }
  | { type: "wait-end"; nodeId: string; callId: string }
  /** The run pauses before something at `atNodeId`; `input` is what would go in. */
  | {
      type: "pause-wait";
      pauseId: string;
      kind: PauseKind;
      nodeId: string;
      atNodeId: string;
      callId?: string;
      input: Json;
    }
  /** `input` is present if it was edited. */
  | {
      type: "pause-end";
      pauseId: string;
      nodeId: string;
      atNodeId: string;
      action: "continue" | "step" | "stop";
      input?: Json;
    }
  | ({ type: "memory-load"; messages: number; durationMs: number } & MemoryUse)
  /** `scratch`: kept only for this trial run; no conversation was changed. */
  | ({ type: "memory-save"; messages: number; scratch?: true; durationMs: number } & MemoryUse)
  | ({ type: "memory-error"; operation: "load" | "save" | "compact" | "clear"; error: RunErrorData } & MemoryUse)
  /** A tool or memory (`nodeId`) had texts embedded. Failed requests have no event. */
  | ({ type: "embedding"; nodeId: string } & EmbeddingUse)
  /** A search had what it found put into a better order. Failed requests have a warning. */
  | ({ type: "rerank"; nodeId: string } & RerankUse)
  | ({ type: "transcription"; nodeId: string } & TranscriptionUse)
  | { type: "plan"; nodeId: string; text: string }
  | { type: "reflection"; nodeId: string; iteration: number; text: string }
  /**
   * The first `messages` after the question are replaced by a summary, which the model is asked for next: the request had about `tokens`
   * tokens, and `limit` were allowed. `window`: tokens that the model took as far as was known.
   */
  | {
      type: "compaction";
      nodeId: string;
      iteration: number;
      messages: number;
      tokens: number;
      limit: number;
      window: number | null;
    }
  /** The next attempt starts `delayMs` after the event's `at`. */
  | { type: "retry"; nodeId: string; attempt: number; maxAttempts: number; delayMs: number; error: RunErrorData }
  | { type: "warning"; nodeId?: string; message: string; hint: string }
  | {
      type: "log";
      nodeId?: string;
      level: "debug" | "info" | "warn" | "error";
      message: string;
      data?: Json;
    };

/** Where an event came from and when: `seq` counts from 0 without gaps, `at` is milliseconds since 1970. */
export interface RunEventEnvelope {
  runId: string;
  seq: number;
  at: number;
  /** The tool call in which this happened (agent as tool, workflow as tool). */
  parentCallId?: string;
  /** Which item of a for-each. */
  item?: number;
  /** The items of the for-each nodes around that one, the outermost first; absent in runs stored before there was this. */
  outerItems?: readonly number[];
  /** Served from a recording: it cost nothing and changed nothing. Its tokens do not count in `run-end`. */
  replayed?: true;
}

/** An event as it is read, stored and replayed: what happened, with its place in the run. */
export type RunEvent = RunEventEnvelope & RunEventBody;

/** The name of an event. */
export type RunEventType = RunEvent["type"];

/** The event of that name. */
export type EventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

/** Which parts of an event are ids of nodes or edges. */
export const idKeys = ["nodeId", "modelNodeId", "toolNodeId", "memoryNodeId", "atNodeId", "edgeId"] as const;

/** The events that say what something has cost. */
export type SpendingEvent = EventOf<"model-response" | "embedding" | "transcription" | "rerank">;

/** Whether an event says what something has cost. */
export function isSpending(event: RunEvent): event is SpendingEvent {
  const { type } = event;
  return type === "model-response" || type === "embedding" || type === "transcription" || type === "rerank";
}
